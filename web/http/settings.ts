import { BROWSER_SETTINGS_ID } from '#contract/settings-element.ts';
import type { BrowserSettings } from '#contract/browser-settings.ts';

let parsed: BrowserSettings | null = null;

/**
 * The settings that the server put into this page. They are not checked by their schema, because the
 * schema library would be part of every first load, and the document is written by the same release.
 */
export function settings(): BrowserSettings {
  parsed ??= JSON.parse(settingsText()) as BrowserSettings;
  return parsed;
}

/** Sets the settings where there is no page: when the documents are rendered at build time. */
export function setSettings(value: BrowserSettings): void {
  parsed = value;
}

function settingsText(): string {
  return document.querySelector(`#${BROWSER_SETTINGS_ID}`)?.textContent ?? '';
}
