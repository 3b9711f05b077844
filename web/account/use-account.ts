import { useEffect, useState } from 'react';

import { getAccount } from '#contract/account.ts';
import type { Reply } from '#contract/endpoint.ts';
import { FORBIDDEN_STATUS, call } from '#web/http/call.ts';
import { storedId } from '#web/http/session.ts';
import { useLoginRedirect } from '#web/profile/use-login-redirect.ts';

export type Account = Reply<typeof getAccount>;

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'ready'; readonly account: Account };

/** The owner's account. `load` requests it again; the old one stays until the new one is there. */
export function useAccount() {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const redirectToLogin = useLoginRedirect();
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    const load = async () => {
      const { status, body } = await call(getAccount, { params: { id: storedId() ?? '' } });
      if (status === FORBIDDEN_STATUS) redirectToLogin();
      else setState(body ? { kind: 'ready', account: body } : { kind: 'failed' });
    };
    // Each attempt is one request.
    if (attempt > 0) void load();
  }, [attempt, redirectToLogin]);
  const load = () => setAttempt(attempt + 1);
  const retry = () => {
    setState({ kind: 'loading' });
    load();
  };
  return { state, load, retry };
}
