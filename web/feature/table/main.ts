/* The script of a table's page, which works without it (view/table-page.tsx). */

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { createTableTime } from '#domain/table.ts';
import { REOPEN_MS, listenToChanges } from '#web/shared/http/event-stream.ts';
import { fetchInTime } from '#web/shared/http/request.ts';

const table = document.querySelector<HTMLElement>('#table');
const id = table?.dataset['table'] ?? '';
const isJoined = table?.hasAttribute('data-joined') ?? false;
const POLL_MS = 10_000;
const GONE = 410;
const { sessionToken } = BROWSER_STORAGE.localStorage;

/** Replaces what the page shows, except a form that somebody is filling in. */
async function refresh(): Promise<void> {
  const response = await fetchInTime(location.href);
  if (!response.ok && response.status !== GONE) throw new Error(`status ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  // A reload could send a rejected form again.
  if (page.querySelector('#table')?.hasAttribute('data-joined') !== isJoined)
    return location.replace(location.href);
  for (const part of ['.table-people', '#here']) {
    const shown = page.querySelector(part);
    if (shown) document.querySelector(part)?.replaceWith(shown);
  }
}

let isStale = false;
let isLoading = false;

/** Loads the page, and once more if something changes during a load. If a load fails, the page stays stale. */
async function update(): Promise<void> {
  isStale = true;
  if (isLoading) return;
  isLoading = true;
  try {
    while (isStale) {
      isStale = false;
      await refresh();
    }
  } catch {
    isStale = true;
  } finally {
    isLoading = false;
  }
}

const updateIfVisible = () => {
  if (document.visibilityState === 'visible') void update();
};

/** Loads the page after each change. A stale page tries again, because the stream announces a change only once. */
function keepListening(): void {
  listenToChanges(`/api/table/${id}/live`, () => void update());
  setInterval(() => {
    if (isStale) void update();
  }, REOPEN_MS);
}

/** Returns false if the session has ended, because the page then stops offering the button. */
async function joinWithCard(button: HTMLButtonElement, authorization: string): Promise<boolean> {
  const response = await fetchInTime('/api/table/joinTable', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ table: id }),
  });
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

/** Replaces the fields by one button while the browser has a session. */
function offerCard(): void {
  const token = localStorage.getItem(sessionToken);
  const button = document.querySelector<HTMLButtonElement>('#own');
  if (token === null || !button) return;
  const fields = button.form?.querySelectorAll<HTMLElement>('.field, button:not(#own)') ?? [];
  const offer = (isOffered: boolean) => {
    for (const field of fields) field.hidden = isOffered;
    button.hidden = !isOffered;
    button.disabled = false;
  };
  offer(true);
  button.addEventListener('click', () => {
    button.disabled = true;
    joinWithCard(button, token).then(offer, () => offer(true));
  });
}

/** Replaces the time of the service's zone, because the phone may be in another one. */
function showLocalTime(): void {
  const sentence = document.querySelector<HTMLElement>('[data-ends]');
  const { ends = '', time = '' } = sentence?.dataset ?? {};
  if (sentence?.textContent)
    sentence.textContent = sentence.textContent.replace(
      time,
      createTableTime().format(new Date(ends)),
    );
}

showLocalTime();
document.addEventListener('visibilitychange', updateIfVisible);
if (isJoined) {
  keepListening();
} else {
  offerCard();
  // Only those who have joined get a stream.
  setInterval(updateIfVisible, POLL_MS);
}
