import { useEffect, useEffectEvent, useState } from 'react';

import type { Endpoint, Reply, RequestInput } from '#contract/endpoint.ts';
import { FORBIDDEN_STATUS, call } from '#web/http/call.ts';
import { checkConnection, onReconnect } from '#web/http/connection.ts';
import { SERVER_ERROR_STATUS } from '#web/http/request.ts';
import { storedId } from '#web/http/session.ts';

import { useLoginRedirect } from './use-login-redirect.ts';

type State<E extends Endpoint> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'ready'; readonly reply: Reply<E> };

/**
 * Calls an endpoint whose only input is the owner's id, and returns its reply. `load` requests it again;
 * the previous reply stays until the new one arrives. After a failure the call is repeated when there is
 * a network again. A 403 opens the login page.
 */
export function useOwnerReply<E extends Endpoint>(endpoint: E) {
  const [state, setState] = useState<State<E>>({ kind: 'loading' });
  const redirectToLogin = useLoginRedirect();
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    let isNewest = true;
    const load = async () => {
      const input = { params: { id: storedId() ?? '' } } as unknown as RequestInput<E>;
      const { status, body } = await call(endpoint, input);
      if (!isNewest) return;
      if (status === FORBIDDEN_STATUS) redirectToLogin();
      else if (body) setState({ kind: 'ready', reply: body });
      else setState((old) => (old.kind === 'ready' ? old : { kind: 'failed' }));
      if (status >= SERVER_ERROR_STATUS) void checkConnection();
    };
    // Each attempt is one request.
    if (attempt > 0) void load();
    return () => {
      isNewest = false;
    };
  }, [attempt, endpoint, redirectToLogin]);
  const load = () => setAttempt(attempt + 1);
  const retry = () => {
    setState({ kind: 'loading' });
    load();
  };
  const retryOnline = useEffectEvent(retry);
  const hasFailed = state.kind === 'failed';
  useEffect(() => (hasFailed ? onReconnect(() => retryOnline()) : undefined), [hasFailed]);
  return { state, load, retry };
}
