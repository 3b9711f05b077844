import { useCallback, useEffect, useState } from 'react';

import type { Endpoint, Reply, RequestInput } from '#contract/endpoint.ts';
import { call } from '#web/shared/http/call.ts';
import { checkConnection, onReconnect } from '#web/shared/http/connection.ts';
import { SERVER_ERROR_STATUS } from '#web/shared/http/request.ts';
import { storedId } from '#web/shared/http/session.ts';

type Headers = Readonly<Record<string, string>>;
type State<E extends Endpoint> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'ready'; readonly reply: Reply<E>; readonly headers: Headers };

/**
 * The previous reply stays until the new one arrives. A failed call is repeated when there is a
 * network again.
 */
export function useOwnerReply<E extends Endpoint>(endpoint: E) {
  const [state, setState] = useState<State<E>>({ kind: 'loading' });
  const load = useCallback(async () => {
    const input = { params: { id: storedId() ?? '' } } as unknown as RequestInput<E>;
    const { status, body, headers } = await call(endpoint, input);
    if (body) setState({ kind: 'ready', reply: body, headers });
    else setState((old) => (old.kind === 'ready' ? old : { kind: 'failed' }));
    if (status >= SERVER_ERROR_STATUS) void checkConnection();
  }, [endpoint]);
  useEffect(() => {
    const loadFirst = async () => load();
    void loadFirst();
  }, [load]);
  const retry = useCallback(() => {
    setState({ kind: 'loading' });
    void load();
  }, [load]);
  const hasFailed = state.kind === 'failed';
  useEffect(() => (hasFailed ? onReconnect(retry) : undefined), [hasFailed, retry]);
  return { state, load, retry };
}
