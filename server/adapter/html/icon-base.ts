export const OWN_ICONS_PATH = '/icons/';

/** With a slash at its end; '' for the default: the page then has inline icons. */
export function inlineIconBaseUrl(iconBaseUrl: string): string {
  const base = `${iconBaseUrl}/`;
  return base === OWN_ICONS_PATH ? '' : base;
}
