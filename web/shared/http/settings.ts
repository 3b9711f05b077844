import { BROWSER_SETTINGS_ID } from '#contract/settings-element.ts';
import type { LockableField } from '#domain/profile-field.ts';
import type { BrowserSettings } from '#contract/browser-settings.ts';

let parsed: BrowserSettings | null = null;

/** Written by the same release, so the schema library stays out of the first load. */
export function settings(): BrowserSettings {
  if (parsed === null) {
    const text = document.querySelector(`#${BROWSER_SETTINGS_ID}`)?.textContent ?? '';
    parsed = JSON.parse(text) as BrowserSettings;
  }
  return parsed;
}

/** Whether LOCKED_FIELDS has a field. The owner may fill one that is stored empty. */
export function isLocked(field: LockableField, stored?: string): boolean {
  return stored?.trim() !== '' && (settings().lockedFields?.includes(field) ?? false);
}

/** For tests. */
export function setSettings(value: BrowserSettings): void {
  parsed = value;
}
