import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

import { loginAction } from '#domain/signin.ts';
import { logFailure } from '#web/http/log.ts';
import { clearRedirectReason, readRedirectReason } from '#web/http/redirect-reason.ts';
import type { RedirectReason } from '#web/http/redirect-reason.ts';
import { request } from '#web/http/request.ts';
import { clearSession, hasMarker, storedId, storedToken } from '#web/http/session.ts';
import { settings } from '#web/http/settings.ts';
import { PATHS } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';

import { Layout } from './layout.tsx';
import { SignIn } from './sign-in.tsx';

/** The login page, at / and /login (docs/product.md#login-page). */
export function Page() {
  const { provider } = settings();
  // Only the login document contains the provider's settings and a Content-Security-Policy that
  // allows the provider's script, so a navigation from another page needs a full load.
  return provider ? <LoginPage provider={provider} /> : <Reload />;
}

type Provider = NonNullable<ReturnType<typeof settings>['provider']>;

function LoginPage({ provider }: { readonly provider: Provider }) {
  const { state } = useLocation();
  const [{ isSignedIn, reason }] = useState(() => checkSession(state));
  return isSignedIn ? <DashboardRedirect /> : <SignIn provider={provider} reason={reason} />;
}

interface SessionCheck {
  /** Whether the page redirects to the dashboard. */
  readonly isSignedIn: boolean;
  readonly reason: RedirectReason | null;
}

/** Runs once when the page opens. Clears a incomplete session and the redirect reason. */
function checkSession(historyState: unknown): SessionCheck {
  const reason = readRedirectReason(historyState);
  const action = loginAction({
    hasId: storedId() !== null,
    hasToken: storedToken() !== null,
    hasMarker: hasMarker(),
    isRedirected: reason !== null,
  });
  if (action === 'clear') clearSession();
  if (reason !== null) clearRedirectReason();
  return { isSignedIn: action === 'dashboard', reason };
}

/**
 * Redirects by a full load: the dashboard must not run under the Content-Security-Policy of the login
 * document, which allows the provider's script.
 */
function DashboardRedirect() {
  useEffect(() => location.replace(PATHS.dashboard), []);
  return null;
}

// If the server already sent a login document, a reload would only return the same one.
const documentPath = location.pathname.replace(/(?<=.)\/$/, '');
const isLoginDocument = documentPath === PATHS.start || documentPath === PATHS.login;

/** Reloads the page from the server if the server is reachable. */
function Reload() {
  const [hasFailed, setFailed] = useState(isLoginDocument);
  useEffect(() => {
    if (hasFailed) return;
    const reload = async () => {
      if (await isReachable()) location.reload();
      else setFailed(true);
    };
    void reload();
  }, [hasFailed]);
  return (
    <Layout>
      {hasFailed && (
        <div role="alert" className="widget-failed">
          <p>Sign-in could not be loaded. Check your connection.</p>
          <Button onClick={() => setFailed(false)}>Try again</Button>
        </div>
      )}
    </Layout>
  );
}

async function isReachable(): Promise<boolean> {
  try {
    await request(location.pathname, { method: 'HEAD', cache: 'no-store' });
    return true;
  } catch (cause) {
    logFailure('The login page could not be reached', cause);
    return false;
  }
}
