import { useState } from 'react';

import type { Endpoint, RequestInput } from '#contract/endpoint.ts';
import { failureSentence } from '#web/shared/http/call.ts';
import { saveFile } from '#web/shared/http/save-file.ts';

/** One file at a time. */
export function useDownload() {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState('');

  async function download<E extends Endpoint>(
    endpoint: E,
    input: RequestInput<E>,
    fileName: string,
  ): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setMessage('Your file is being prepared.');
    const result = await saveFile(endpoint, input, fileName);
    setBusy(false);
    setMessage(result.isSaved ? 'Your file is saved.' : failureSentence(result));
  }
  return { isBusy, message, download };
}
