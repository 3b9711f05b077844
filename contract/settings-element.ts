/** This constant has a file of its own, so that scripts can import it without the schema library. */
export const BROWSER_SETTINGS_ID = 'settings';
