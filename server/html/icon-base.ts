/** The path of the product's own network icons: the default of ICON_BASE_URL. */
export const OWN_ICONS_PATH = '/icons/';

/** Returns the value of ICON_BASE_URL for a page; '' for the default: it then has inline icons. */
export function inlineIconBaseUrl(iconBaseUrl: string): string {
  return `${iconBaseUrl}/` === OWN_ICONS_PATH ? '' : iconBaseUrl;
}
