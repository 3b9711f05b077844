import { useEffect, useState } from 'react';

import { getContacts } from '#contract/contact.ts';
import { getLive, liveEvent } from '#contract/live.ts';
import type { LiveEvent } from '#contract/live.ts';
import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { prepareCall } from '#web/shared/http/call.ts';
import { queryClient } from '#web/shared/http/query.ts';
import { SERVER_ERROR_STATUS, fetchInTime, parseJson } from '#web/shared/http/request.ts';

const LISTENING_MS_MAX = 10 * MINUTE_MS;
const RETRY_MS = 3 * SECOND_MS;
const VIBRATION_MS = 30;

/**
 * Returns what visitors do with the card whose QR code contains this token, and whether the stream of these
 * events is unavailable. Without a token, there is no stream.
 */
export function useLiveEvents(token: string | null) {
  const [events, setEvents] = useState<readonly LiveEvent[]>([]);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (token === null) return undefined;
    const closed = new AbortController();
    const onEvent = (event: LiveEvent) => {
      setEvents((before) => [...before, event]);
      // The list behind the screen already has the person when the screen is closed.
      if (event.kind === 'connected')
        void queryClient.invalidateQueries({ queryKey: [getContacts.path] });
      // iOS does not support vibration, and other browsers refuse it until the user has pressed something.
      const { userActivation } = navigator as Partial<Navigator>;
      if ('vibrate' in navigator && userActivation?.hasBeenActive) navigator.vibrate(VIBRATION_MS);
    };
    void listen(token, closed.signal, { onEvent, setFailed });
    return () => closed.abort();
  }, [token]);
  return { events, hasFailed };
}

type OnEvent = (event: LiveEvent) => void;

interface Listener {
  readonly onEvent: OnEvent;
  readonly setFailed: (hasFailed: boolean) => void;
}

async function listen(token: string, signal: AbortSignal, listener: Listener): Promise<void> {
  const endsAt = Date.now() + LISTENING_MS_MAX;
  const { url, init } = prepareCall(getLive, { query: { s: token } });
  while (!signal.aborted && Date.now() < endsAt) {
    try {
      const response = await fetchInTime(url, { ...init, signal });
      const isOpen = response.ok && response.body !== null;
      listener.setFailed(!isOpen);
      // While the service restarts, a proxy answers with an error of its own.
      if (!isOpen && response.status < SERVER_ERROR_STATUS) return;
      if (isOpen) await readEvents(response.body, listener.onEvent);
    } catch {
      listener.setFailed(!signal.aborted);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function readEvents(body: ReadableStream<Uint8Array>, onEvent: OnEvent): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1] ?? '';
      const event = liveEvent.safeParse(parseJson(data)).data;
      if (event) onEvent(event);
    }
  }
}
