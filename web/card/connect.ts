import type { Lead } from '#domain/lead-schema.ts';
import {
  cleanLeadInput,
  LEAD_FAILED,
  LEAD_INCOMPLETE,
  LEAD_SENT,
  isCompleteLead,
} from '#domain/lead.ts';
import { PROGRESS_TIMEOUT_MS } from '#web/http/request.ts';

/*
 * The state of the pop-up's history entry. While the pop-up is open, the history has an entry for
 * it, so that the browser's back button closes it.
 */
const NONE = 0;
const CURRENT = 1;
/** `history.back()` has been called and its popstate event has not arrived yet. */
const GOING_BACK = 2;

/**
 * Makes the pop-up a modal dialog that sends its form (docs/product.md#connect). Without this script
 * it is a popover that only opens and closes.
 */
export function enhanceConnect(popup: HTMLDialogElement, form: HTMLFormElement): void {
  const button = form.lastElementChild as HTMLButtonElement;
  const [closer, opener] = document.querySelectorAll<HTMLElement>('[popovertarget]');
  const close = () => popup.close();
  let entry = NONE;
  const addEntry = () => {
    entry = CURRENT;
    history.pushState(0, '');
  };
  opener?.addEventListener('click', (event) => {
    event.preventDefault();
    popup.showModal();
    if (!entry) addEntry();
  });
  // oxlint-disable-next-line prefer-add-event-listener -- the script has a size limit of 2 KB
  popup.onclose = () => {
    if (entry !== CURRENT) return;
    entry = GOING_BACK;
    history.back();
  };
  onpopstate = () => {
    // The visitor opened the pop-up again before this event.
    if (entry === GOING_BACK && popup.open) return addEntry();
    entry = NONE;
    close();
  };
  // oxlint-disable-next-line prefer-add-event-listener -- the same limit
  if (closer) closer.onclick = close;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!button.disabled) void send(form, button, close);
  });
}

async function send(form: HTMLFormElement, button: HTMLButtonElement, close: () => void) {
  const { website, ...contact } = readForm(form);
  if (!isCompleteLead(contact)) return showAlert(LEAD_INCOMPLETE);
  button.disabled = true;
  button.textContent = 'Connecting';
  // JSON omits an undefined website.
  const isSent = await post(form.dataset, { contact, website: website || undefined });
  button.disabled = false;
  button.textContent = 'Connect';
  showAlert(isSent ? LEAD_SENT : LEAD_FAILED);
  close();
  if (isSent) form.reset();
}

/** The cleaned values of the form by name. */
function readForm(form: HTMLFormElement) {
  const typed = Array.from(new FormData(form), ([name, value]) => [
    name,
    cleanLeadInput(value as string),
  ]);
  return Object.fromEntries(typed) as Lead & { website: string };
}

/** Sends a lead. Returns whether the server accepted it. */
async function post({ send: url = '', user }: DOMStringMap, lead: object): Promise<boolean> {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), PROGRESS_TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: visitorSession() },
      body: JSON.stringify({ userID: user, ...lead }),
      signal: abort.signal,
    });
    return response.status === 200;
  } catch {
    return false;
  }
}

/** The session token of a visitor who is an owner too, else ''. Browsers may deny access to storage. */
function visitorSession(): string {
  try {
    return (localStorage['sessionToken'] as string | undefined) ?? '';
  } catch {
    return '';
  }
}

function showAlert(message: string): void {
  alert(message);
}
