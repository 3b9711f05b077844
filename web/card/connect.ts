import type { Lead } from '#domain/contact.ts';
import {
  cleanLeadInput,
  CONTACT_FAILED,
  CONTACT_INCOMPLETE,
  CONTACT_SENT,
  isCompleteLead,
} from '#domain/lead.ts';

import { showAlert } from './alert.ts';

/** Whether the open pop-up has an entry of its own in the history, or one that is being left. */
const NONE = 0;
const HERE = 1;
const LEAVING = 2;

/**
 * Lets the pop-up send. It opens and closes by itself as a popover; with this script it is a modal
 * dialog, also in browsers from before there were popovers.
 */
export function readyConnect(popup: HTMLDialogElement, form: HTMLFormElement): void {
  const button = form.lastElementChild as HTMLButtonElement;
  const [closer, opener] = document.querySelectorAll<HTMLElement>('[popovertarget]');
  const close = () => popup.close();
  let entry = NONE;
  // So that the browser's back button closes it.
  const addEntry = () => {
    entry = HERE;
    history.pushState(0, '');
  };
  opener?.addEventListener('click', (event) => {
    event.preventDefault();
    popup.showModal();
    if (!entry) addEntry();
  });
  // oxlint-disable-next-line prefer-add-event-listener -- every byte of this script is counted
  popup.onclose = () => {
    if (entry !== HERE) return;
    entry = LEAVING;
    history.back();
  };
  onpopstate = () => {
    // Who is quick has opened it again before the entry was left.
    if (entry === LEAVING && popup.open) return addEntry();
    entry = NONE;
    close();
  };
  // oxlint-disable-next-line prefer-add-event-listener -- likewise
  if (closer) closer.onclick = close;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!button.disabled) void send(form, button, close);
  });
}

async function send(form: HTMLFormElement, button: HTMLButtonElement, close: () => void) {
  const { website, ...contact } = readForm(form);
  if (!isCompleteLead(contact)) return showAlert(CONTACT_INCOMPLETE);
  button.disabled = true;
  button.textContent = 'Connecting';
  const isSent = await post(form.dataset, { contact, website });
  button.disabled = false;
  button.textContent = 'Connect';
  showAlert(isSent ? CONTACT_SENT : CONTACT_FAILED);
  close();
  if (isSent) form.reset();
}

/** The fields by name, cleaned. The page's own form has these and no others. */
function readForm(form: HTMLFormElement) {
  const typed = Array.from(new FormData(form), ([name, value]) => [
    name,
    cleanLeadInput(value as string),
  ]);
  return Object.fromEntries(typed) as Lead & { website: string };
}

/** Whether the server has taken it. A network failure is no more than 'no'. */
async function post({ send: url = '', user }: DOMStringMap, lead: object): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: ownSession() },
      body: JSON.stringify({ userID: user, ...lead }),
    });
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** The visitor's own session, if they have a card too, else ''. A browser may refuse to say. */
function ownSession(): string {
  try {
    return (localStorage['sessionToken'] as string | undefined) ?? '';
  } catch {
    return '';
  }
}
