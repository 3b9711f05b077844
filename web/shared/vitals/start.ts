import { logFailure } from '#web/shared/http/report.ts';
import { settings } from '#web/shared/http/settings.ts';

/** Only if the operator has set VITALS_URL (docs/product.md#calls). Most have not: a separate chunk. */
export function startVitals(): void {
  const { vitalsUrl } = settings();
  if (vitalsUrl === '') return;
  import('./vitals.ts').then(
    ({ sendVitals }) => sendVitals(vitalsUrl),
    (cause: unknown) => logFailure('The web-vitals reporter did not load', cause),
  );
}
