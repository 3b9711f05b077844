import '#view/tokens.css';
import '#view/accent.css';
import './base.css';

import { createRoot } from 'react-dom/client';

import { logFailure } from './shared/http/log.ts';
import { clearStateOfLastVisit } from './shared/http/redirect-reason.ts';
import { onSessionEnd } from './shared/http/session-end.ts';
import { preloadPage } from './pages.tsx';
import { Root } from './root.tsx';
import { listenForInstallPrompt } from './shared/ui/install-prompt.ts';
import { startVitals } from './shared/vitals/start.ts';

async function start(): Promise<void> {
  clearStateOfLastVisit();
  // Loaded then: it knows the fields of a profile.
  onSessionEnd(async () => (await import('./shared/profile/session-end.ts')).endSession());
  try {
    await preloadPage(location.pathname);
  } catch (cause) {
    // Rendering the page fails likewise, and shows the error screen.
    logFailure('A page did not load', cause);
  }
  const container = document.querySelector('#application');
  if (container) createRoot(container).render(<Root />);
}

listenForInstallPrompt();
void start();
startVitals();
