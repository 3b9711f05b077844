import { BROWSER_SETTINGS_ID } from '#contract/settings-element.ts';
import type { LockableField } from '#domain/profile-field.ts';
import type { BrowserSettings } from '#contract/browser-settings.ts';

let parsed: BrowserSettings | null = null;

/** Parses without a schema, because the same release wrote the settings and the first load should stay small. */
export function settings(): BrowserSettings {
  if (parsed === null) {
    const text = document.querySelector(`#${BROWSER_SETTINGS_ID}`)?.textContent ?? '';
    parsed = JSON.parse(text) as BrowserSettings;
  }
  return parsed;
}

/** Returns whether calls go to the page's own origin. Browsers send cookies only there. */
export const sendsCookies = () =>
  new URL(settings().apiUrl, location.href).origin === location.origin;

/** Returns whether LOCKED_FIELDS locks a field. The owner may still fill in a field that is stored empty. */
export function isLocked(field: LockableField, stored?: string): boolean {
  return stored?.trim() !== '' && (settings().lockedFields?.includes(field) ?? false);
}

/** Replaces the settings in tests. */
export function setSettings(value: BrowserSettings): void {
  parsed = value;
}
