import { BROWSER_SETTINGS_ID, browserSettings } from '#contract/browser-settings.ts';
import type { BrowserSettings } from '#contract/browser-settings.ts';

let read: BrowserSettings | null = null;

/** What the server tells this page. Read once: it cannot change without a new page. */
export function settings(): BrowserSettings {
  read ??= browserSettings.parse(JSON.parse(settingsText()));
  return read;
}

function settingsText(): string {
  return document.querySelector(`#${BROWSER_SETTINGS_ID}`)?.textContent ?? '';
}
