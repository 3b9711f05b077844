import { readSettings } from '#server/settings/settings.ts';
import { StartError } from '#server/start-error.ts';

/** Reads the settings of an environment. Returns the sentence of the error, or 'accepted'. */
export function settingsError(environment: Record<string, string>): string {
  try {
    readSettings(environment);
    return 'accepted';
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}
