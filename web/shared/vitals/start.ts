import { logFailure } from '#web/shared/http/report.ts';
import { settings } from '#web/shared/http/settings.ts';

/** Only if the operator has set VITALS_URL (docs/product.md#calls). */
export function startVitals(): void {
  const { vitalsUrl } = settings();
  if (vitalsUrl !== '') void loadReporter(vitalsUrl);
}

/** A separate chunk, because most installations do not use it. */
async function loadReporter(vitalsUrl: string): Promise<void> {
  try {
    const { sendVitals } = await import('./vitals.ts');
    sendVitals(vitalsUrl);
  } catch (cause) {
    logFailure('The web-vitals reporter did not load', cause);
  }
}
