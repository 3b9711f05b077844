/** The path of the product's own network icons: the default of ICON_BASE_URL. */
export const OWN_ICONS_PATH = '/icons/';

/** The icon base URL for a page; '' renders the product's own icons inline, without a request. */
export function inlineIconBaseUrl(iconBaseUrl: string): string {
  return iconBaseUrl === OWN_ICONS_PATH ? '' : iconBaseUrl;
}
