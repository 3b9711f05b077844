import { logFailure } from '#web/shared/http/report.ts';
import { settings } from '#web/shared/http/settings.ts';

/** Starts the reporter if VITALS_URL is set (docs/develop/product.md#calls). Usually it is not, so the reporter loads lazily. */
export function startVitals(): void {
  const { vitalsUrl } = settings();
  if (vitalsUrl === '') return;
  import('./vitals.ts').then(
    ({ sendVitals }) => sendVitals(vitalsUrl),
    (cause: unknown) => logFailure('The web-vitals reporter did not load', cause),
  );
}
