import { SECOND_MS } from '#domain/duration.ts';

export const REOPEN_MS = 3 * SECOND_MS;

/**
 * Calls `onChange` for each `changed` event of a stream, and whenever the stream opens, because the page may have
 * missed changes. If the server answers with an error, the browser gives up the stream, so this function opens it
 * again. Returns the function that closes the stream.
 */
export function listenToChanges(url: string, onChange: () => void): () => void {
  const open = () => {
    const stream = new EventSource(url);
    for (const name of ['changed', 'open']) stream.addEventListener(name, onChange);
    return stream;
  };
  let events = open();
  const timer = setInterval(() => {
    if (events.readyState !== EventSource.CLOSED) return;
    onChange();
    events = open();
  }, REOPEN_MS);
  return () => {
    clearInterval(timer);
    events.close();
  };
}
