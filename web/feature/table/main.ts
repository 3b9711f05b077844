/* The script of a table's page, which works without it (view/table-page.tsx). */

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { fetchInTime } from '#web/shared/http/request.ts';

const table = document.querySelector<HTMLElement>('#table');
const id = table?.dataset['table'] ?? '';
const RETRY_MS = 3000;
const { sessionToken } = BROWSER_STORAGE.localStorage;

/** Replaces what the page shows, except a form that somebody is filling in. */
async function refresh(): Promise<void> {
  const response = await fetchInTime(location.href);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const isJoined = page.querySelector('#table')?.hasAttribute('data-joined');
  if (!isJoined) return location.reload();
  for (const part of ['.table-people', '#here']) {
    const shown = page.querySelector(part);
    if (shown) document.querySelector(part)?.replaceWith(shown);
  }
}

let retry: ReturnType<typeof setTimeout> | undefined;

/** An open stream says nothing more about a change that could not be loaded, so this tries until it is. */
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

async function joinWithCard(button: HTMLButtonElement, authorization: string): Promise<void> {
  button.disabled = true;
  const response = await fetchInTime('/api/table/joinTable', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ table: id }),
  });
  if (response.ok) return location.reload();
  button.disabled = false;
  const { message } = (await response.json()) as { message: string };
  button.before(
    Object.assign(document.createElement('p'), { role: 'alert', textContent: message }),
  );
}

function offerCard(): void {
  const token = localStorage.getItem(sessionToken);
  const button = document.querySelector<HTMLButtonElement>('#own');
  if (token === null || !button) return;
  const fields = button.form?.querySelectorAll<HTMLElement>('.field, button:not(#own)') ?? [];
  for (const field of fields) field.hidden = true;
  button.hidden = false;
  button.addEventListener('click', () => {
    joinWithCard(button, token).catch(() => (button.disabled = false));
  });
}

if (table?.hasAttribute('data-joined')) {
  listen();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') tryRefresh();
  });
} else {
  offerCard();
}
