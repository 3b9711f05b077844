import '#view/tokens.css';
import '#view/accent.css';
import '#view/base.css';
import './shared/ui/layout.css';
import './shared/ui/loading.css';

import { PersistQueryClientProvider } from '@tanstack/react-query-persist-client';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';

import { IsTextWhole } from '#view/language.tsx';

import { routes } from './routes.tsx';
import { persistence } from './shared/http/query.ts';
import { logFailure } from './shared/http/report.ts';
import { clearStateOfLastVisit } from './shared/http/session-end.ts';
import { settings } from './shared/http/settings.ts';
import { listenForInstallPrompt } from './shared/ui/install-prompt.ts';
import { startVitals } from './shared/vitals/start.ts';

listenForInstallPrompt();
clearStateOfLastVisit();

const router = createBrowserRouter(routes());
// The guard runs again when another tab changes the session, and when the browser restores this page
// from its back/forward cache.
window.addEventListener('storage', () => void router.revalidate());
window.addEventListener('pageshow', ({ persisted }) => persisted && void router.revalidate());

async function start(): Promise<void> {
  const container = document.querySelector('#application');
  if (!container) return;
  // The skeleton of index.html stays until the first page has loaded.
  await new Promise<void>((resolve) => {
    if (router.state.initialized) resolve();
    else router.subscribe(({ initialized }) => initialized && resolve());
  });
  createRoot(container).render(
    <PersistQueryClientProvider {...persistence}>
      <IsTextWhole value={settings().isCardTextWhole ?? false}>
        <RouterProvider router={router} />
      </IsTextWhole>
    </PersistQueryClientProvider>,
  );
}

void start();
startVitals();
// Every page sends the contacts that were added without a network.
if (settings().views.includes('contacts'))
  import('./feature/contact/waiting.ts').catch((cause: unknown) =>
    logFailure('The contacts that wait are sent later', cause),
  );
