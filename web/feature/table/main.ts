/* The script of a table's page, which works without it (view/table-page.tsx). */

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { fetchInTime } from '#web/shared/http/request.ts';

const table = document.querySelector<HTMLElement>('#table');
const id = table?.dataset['table'] ?? '';
const RETRY_MS = 3000;
const POLL_MS = 10_000;
const GONE = 410;
const { sessionToken } = BROWSER_STORAGE.localStorage;

/** Replaces what the page shows, except a form that somebody is filling in. */
async function refresh(): Promise<void> {
  const response = await fetchInTime(location.href);
  if (!response.ok && response.status !== GONE) throw new Error(`status ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const loaded = page.querySelector('#table');
  // A reload could send a rejected form again.
  if (loaded?.hasAttribute('data-joined') !== table?.hasAttribute('data-joined'))
    return location.replace(location.href);
  for (const part of ['.table-people', '#here']) {
    const shown = page.querySelector(part);
    if (shown) document.querySelector(part)?.replaceWith(shown);
  }
}

let retry: ReturnType<typeof setTimeout> | undefined;

/** The stream announces a change only once, so this retries until the page has loaded it. */
function tryRefresh(): void {
  clearTimeout(retry);
  refresh().catch(() => (retry = setTimeout(tryRefresh, RETRY_MS)));
}

function listen(): void {
  const events = new EventSource(`/api/table/${id}/live`);
  events.addEventListener('changed', tryRefresh);
  // After a cut connection, changes may have been missed.
  events.addEventListener('open', tryRefresh);
  events.addEventListener('error', () => {
    if (events.readyState !== EventSource.CLOSED) return;
    // The browser has given up, or this person is no longer at the table, which the page then shows.
    tryRefresh();
    setTimeout(listen, RETRY_MS);
  });
}

/** Returns whether the session is still valid. */
async function joinWithCard(button: HTMLButtonElement, authorization: string): Promise<boolean> {
  button.disabled = true;
  const response = await fetchInTime('/api/table/joinTable', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ table: id }),
  });
  button.disabled = false;
  if (response.ok) {
    location.replace(location.href);
    return true;
  }
  const { error, message } = (await response.json()) as Record<'error' | 'message', string>;
  button.before(
    Object.assign(document.createElement('p'), { role: 'alert', textContent: message }),
  );
  return error !== 'session_invalid';
}

function offerCard(): void {
  const token = localStorage.getItem(sessionToken);
  const button = document.querySelector<HTMLButtonElement>('#own');
  if (token === null || !button) return;
  const fields = button.form?.querySelectorAll<HTMLElement>('.field, button:not(#own)') ?? [];
  const offer = (isOffered: boolean) => {
    for (const field of fields) field.hidden = isOffered;
    button.hidden = !isOffered;
  };
  offer(true);
  button.addEventListener('click', () => {
    joinWithCard(button, token).then(offer, () => (button.disabled = false));
  });
}

const refreshIfVisible = () => document.visibilityState === 'visible' && tryRefresh();

document.addEventListener('visibilitychange', refreshIfVisible);
if (table?.hasAttribute('data-joined')) {
  listen();
} else {
  offerCard();
  // Only those who have joined get a stream.
  setInterval(refreshIfVisible, POLL_MS);
}
