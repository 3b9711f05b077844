import { useState } from 'react';

import type { ProviderSettings } from '#contract/browser-settings.ts';
import { authenticatePhone } from '#contract/signin.ts';
import { getUser } from '#contract/user.ts';
import { pageAfterSignIn } from '#domain/signin.ts';
import { call } from '#web/http/call.ts';
import { reloadWithReason } from '#web/http/redirect-reason.ts';
import type { RedirectReason } from '#web/http/redirect-reason.ts';
import { revokeSession } from '#web/http/revoke-session.ts';
import { storeSession, storedToken } from '#web/http/session.ts';
import { PATHS } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadingStatus, Skeleton } from '#web/ui/loading.tsx';

import { Layout } from './layout.tsx';
import { Widget } from './widget.tsx';

const REASON_TEXTS: Readonly<Record<RedirectReason, string>> = {
  userFetchFailed: 'We could not load your card just now. Sign in again, or try once more.',
  sessionEnded: 'Your session is over. Sign in again; what you typed is kept.',
  loggedOut: 'Your session is over. Sign in again.',
};

const ERROR_TEXTS: Readonly<Record<Exclude<SignInResult, 'navigating'>, string>> = {
  rejected: 'This sign-in is not valid any more. Try again with a new code.',
  unreachable: 'We could not finish signing you in just now.',
};

interface SignInProps {
  readonly provider: ProviderSettings;
  readonly reason: RedirectReason | null;
}

/** The provider's widget, then the exchange of its token. */
export function SignIn({ provider, reason }: SignInProps) {
  const [token, setToken] = useState('');
  const [result, setResult] = useState<SignInResult>('navigating');

  const signIn = async (providerToken: string) => {
    setToken(providerToken);
    setResult('navigating');
    setResult(await exchangeToken(providerToken));
  };
  // A rejected token stays invalid, and the widget starts again only in a new page.
  const retry = () => (result === 'rejected' ? location.reload() : void signIn(token));

  return (
    <Layout>
      {reason !== null && token === '' && (
        <div className="signin-reason">
          <output>{REASON_TEXTS[reason]}</output>
          {reason === 'userFetchFailed' && <a href={PATHS.dashboard}>Try once more</a>}
        </div>
      )}
      {token !== '' && result === 'navigating' && <SignInSkeleton />}
      {result !== 'navigating' && (
        <div role="alert" className="widget-failed">
          <p>{ERROR_TEXTS[result]}</p>
          <Button variant="main" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
      {/* Hidden instead of unmounted: the provider's script holds a reference to the container. */}
      <div hidden={token !== ''}>
        <Widget provider={provider} onToken={signIn} />
      </div>
    </Layout>
  );
}

function SignInSkeleton() {
  return (
    <div className="widget">
      <LoadingStatus>Signing in</LoadingStatus>
      <Skeleton className="widget-label" />
      <Skeleton className="widget-button" />
    </div>
  );
}

const REJECTED_STATUS = 403;

/** 'navigating': the next page is loading. 'rejected': the token is invalid. */
type SignInResult = 'navigating' | 'rejected' | 'unreachable';

/**
 * Exchanges the provider's token for a session, ends the browser's previous one
 * (docs/security.md#sessions), then navigates by a full page load, so that no code
 * of the provider remains in a page with the owner's data (docs/product.md#login-page).
 */
async function exchangeToken(token: string): Promise<SignInResult> {
  const session = await call(authenticatePhone, {}, { authorization: token });
  if (!session.body) return session.status === REJECTED_STATUS ? 'rejected' : 'unreachable';
  // Otherwise the previous session would be valid without a browser that holds it.
  const previousToken = storedToken();
  if (previousToken !== null) await revokeSession(previousToken);
  storeSession(session.body);
  const user = await call(getUser, { params: { id: session.body._id } });
  if (user.body) location.assign(pageAfterSignIn(user.body));
  else reloadWithReason(PATHS.start, 'userFetchFailed');
  return 'navigating';
}
