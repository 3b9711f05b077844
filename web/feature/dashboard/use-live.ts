import { useEffect, useState } from 'react';

import { getLive, liveEvent } from '#contract/live.ts';
import type { LiveEvent } from '#contract/live.ts';
import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { callUrl, requestOptions } from '#web/shared/http/call.ts';
import { fetchInTime, parseJson } from '#web/shared/http/request.ts';

const LIFE_MS = 10 * MINUTE_MS;
const RETRY_MS = 3 * SECOND_MS;
const TICK_MS = 30;

/** What visitors do with the card whose QR code has this token; nothing if the stream is not available. */
export function useLive(token: string): readonly LiveEvent[] {
  const [events, setEvents] = useState<readonly LiveEvent[]>([]);
  useEffect(() => {
    const closing = new AbortController();
    const onEvent = (event: LiveEvent) => {
      setEvents((before) => [...before, event]);
      // Absent on iOS. Browsers refuse it before the first press of a page.
      const { userActivation } = navigator as Partial<Navigator>;
      if ('vibrate' in navigator && userActivation?.hasBeenActive) navigator.vibrate(TICK_MS);
    };
    void listen(token, closing.signal, onEvent);
    return () => closing.abort();
  }, [token]);
  return events;
}

type OnEvent = (event: LiveEvent) => void;

async function listen(token: string, signal: AbortSignal, onEvent: OnEvent): Promise<void> {
  const endsAt = Date.now() + LIFE_MS;
  const url = callUrl(getLive, { query: { s: token } });
  while (!signal.aborted && Date.now() < endsAt) {
    try {
      const response = await fetchInTime(url, { ...requestOptions(getLive, {}), signal });
      if (!response.ok || !response.body) return;
      await readEvents(response.body, onEvent);
    } catch {
      // Without a network the screen is as without the stream.
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
