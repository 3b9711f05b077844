/** The id of the HTML element with the settings for the browser. In its own file, without a schema. */
export const BROWSER_SETTINGS_ID = 'settings';
