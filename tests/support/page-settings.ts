/** What a page tells the browser, without optional parts. */
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
