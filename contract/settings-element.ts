/** In its own file, so that the browser's scripts do not include the schema library. */
export const BROWSER_SETTINGS_ID = 'settings';
