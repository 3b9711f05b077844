import {
  cleanLead,
  CONTACT_FAILED,
  CONTACT_INCOMPLETE,
  CONTACT_SENT,
  isCompleteLead,
} from '#domain/lead.ts';

import { say } from './say.ts';

/** Lets the pop-up send; it opens and closes by itself wherever the browser can. */
export function showConnect(page: Document): void {
  const popup = page.querySelector('dialog');
  const form = popup?.querySelector('form');
  if (!popup || !form) return;
  const [opener, closer] = page.querySelectorAll<HTMLButtonElement>('[commandfor]');
  const close = () => {
    if (popup.open) popup.close();
    else popup.hidePopover?.();
  };
  // Browsers before 2023 know neither way of opening a pop-up without a script.
  if (!('popover' in HTMLElement.prototype)) {
    opener?.addEventListener('click', () => popup.showModal());
    closer?.addEventListener('click', close);
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form, close);
  });
}

async function send(form: HTMLFormElement, close: () => void): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('.popup-send');
  const fields = new FormData(form);
  const typed = (name: string) => cleanLead(String(fields.get(name)));
  const contact = {
    name: typed('name'),
    mobile: typed('mobile'),
    email: typed('email'),
    companyName: typed('companyName'),
  };
  if (!isCompleteLead(contact)) return say(CONTACT_INCOMPLETE);
  if (!button || button.disabled) return;
  button.disabled = true;
  button.textContent = 'Connecting';
  const isSent = await post(form, { contact, website: typed('website') });
  button.disabled = false;
  button.textContent = 'Connect';
  say(isSent ? CONTACT_SENT : CONTACT_FAILED);
  close();
  if (isSent) form.reset();
}

/** Whether the server has taken it. A network failure is no more than 'no'. */
async function post({ dataset }: HTMLFormElement, body: object): Promise<boolean> {
  try {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    const token = storedToken();
    if (token) headers['authorization'] = token;
    const answer = await fetch(dataset['send'] ?? '', {
      method: 'POST',
      headers,
      body: JSON.stringify({ userID: dataset['user'], ...body }),
    });
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** The visitor's own session, if they have a card too. A browser may refuse to say. */
function storedToken(): string | null {
  try {
    return localStorage.getItem('sessionToken');
  } catch {
    return null;
  }
}
