/** The settings that a page contains for its scripts, without the optional ones. */
export const PAGE_SETTINGS = {
  productName: 'Tessera',
  supportEmail: '',
  publicUrl: '',
  apiUrl: '/api',
  serverUrl: '/api',
  iconBaseUrl: '',
  vitalsUrl: '',
  views: [],
  wallets: [],
};
