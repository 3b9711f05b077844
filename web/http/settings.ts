import { BROWSER_SETTINGS_ID, browserSettings } from '#contract/browser-settings.ts';
import type { BrowserSettings } from '#contract/browser-settings.ts';

let parsed: BrowserSettings | null = null;

/** The settings that the server put into this page. */
export function settings(): BrowserSettings {
  parsed ??= browserSettings.parse(JSON.parse(settingsText()));
  return parsed;
}

function settingsText(): string {
  return document.querySelector(`#${BROWSER_SETTINGS_ID}`)?.textContent ?? '';
}
