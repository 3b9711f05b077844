import { useState } from 'react';

import type { Endpoint, Reply, RequestInput } from '#contract/endpoint.ts';
import { call } from '#web/shared/http/call.ts';
import { failureSentence } from '#web/shared/http/failure.ts';

export function useCall() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  /** Null after a failure. */
  async function run<E extends Endpoint>(
    endpoint: E,
    input: RequestInput<E>,
  ): Promise<Reply<E> | null> {
    setBusy(true);
    setFailure('');
    const result = await call(endpoint, input);
    setBusy(false);
    if (result.body === null) setFailure(failureSentence(result));
    return result.body;
  }
  return { isBusy, failure, run };
}
