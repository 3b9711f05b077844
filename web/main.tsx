import '#view/tokens.css';
import './base.css';

import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';

import { logFailure } from './http/log.ts';
import { settings } from './http/settings.ts';
import { router } from './router.tsx';

const container = document.querySelector('#application');
if (container) createRoot(container).render(<RouterProvider router={router} />);

const { vitalsUrl } = settings();
if (vitalsUrl !== '') void startVitals();

/** Loads the reporter from a separate chunk, because most installations set no VITALS_URL. */
async function startVitals(): Promise<void> {
  try {
    const { sendVitals } = await import('./vitals.ts');
    sendVitals(vitalsUrl);
  } catch (cause) {
    logFailure('The web-vitals reporter did not load', cause);
  }
}
