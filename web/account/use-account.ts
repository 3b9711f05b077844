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

/** The owner's account. `load` requests it again; the old one stays until then, or if that fails. */
export function useAccount() {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const redirectToLogin = useLoginRedirect();
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    let isNewest = true;
    const load = async () => {
      const { status, body } = await call(getAccount, { params: { id: storedId() ?? '' } });
      if (!isNewest) return;
      if (status === FORBIDDEN_STATUS) redirectToLogin();
      else if (body) setState({ kind: 'ready', account: body });
      else setState((old) => (old.kind === 'ready' ? old : { kind: 'failed' }));
    };
    // Each attempt is one request.
    if (attempt > 0) void load();
    return () => {
      isNewest = false;
    };
  }, [attempt, redirectToLogin]);
  const load = () => setAttempt(attempt + 1);
  const retry = () => {
    setState({ kind: 'loading' });
    load();
  };
  return { state, load, retry };
}
