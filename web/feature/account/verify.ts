import { changePhone, deleteAccount } from '#contract/account.ts';
import { updateExtras } from '#contract/extras.ts';
import { PATHS } from '#domain/path.ts';
import { call, failureSentence } from '#web/shared/http/call.ts';
import { loadWithReason, loadWithState } from '#web/shared/http/session-end.ts';
import { clearOwnerStorage, readDraft, storedId, writeDraft } from '#web/shared/http/storage.ts';
import { settings } from '#web/shared/http/settings.ts';
import { createFailure, createSkeleton } from '#web/shared/otp/widget-content.ts';
import { startWidget } from '#web/shared/otp/widget.ts';
import type { EditDraft } from '#web/shared/profile/draft.ts';
import { showAlert } from '#web/shared/http/report.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

import { CHANGE_PHONE, CONFIRM_UPI, DELETE_ACCOUNT, verifyPath } from '#web/shared/otp/purpose.ts';
import type { VerifyStep } from '#web/shared/otp/purpose.ts';

/* The documents with a third party's widget (docs/product.md#account), left by full page loads. */

const TITLE_ID = 'verify-title';
const GROUP_ID = 'verify-group';
/** The token of the present number while the new one is verified. */
const TOKEN_KEY = 'present-phone-token';
const userId = storedId();
/** What was typed in Edit Profile. */
const draft = await readDraft<EditDraft>('edit', userId ?? '');
const newUpi = draft?.extras.upi;
const step = readStep();
const purpose = {
  delete: DELETE_ACCOUNT,
  upi: CONFIRM_UPI,
  present: CHANGE_PHONE,
  new: CHANGE_PHONE,
}[step];

function readStep(): VerifyStep {
  const name = new URLSearchParams(location.search).get('for');
  if (name === 'delete' || (name === 'upi' && newUpi !== undefined)) return name;
  return name === 'new' && sessionStorage.getItem(TOKEN_KEY) !== null ? name : 'present';
}

function start(page: HTMLElement): void {
  if (step !== 'new') sessionStorage.removeItem(TOKEN_KEY);
  const status = createElement('div', {});
  const widget = startWidget((token) => void accept(token));
  const isGroup = step === 'present' || step === 'new';
  const content = isGroup ? createGroup(step, widget) : widget;
  const cancel = createElement(
    'a',
    { class: 'account-cancel', href: step === 'upi' ? PATHS.edit : PATHS.account },
    ['Cancel'],
  );
  cancel.addEventListener('click', () => sessionStorage.removeItem(TOKEN_KEY));
  page.replaceChildren(
    createElement('div', { class: 'account-dialog', role: 'dialog', 'aria-labelledby': TITLE_ID }, [
      createElement('h1', { id: TITLE_ID }, [purpose.title]),
      createElement('p', {}, [purpose.text]),
      ...(step === 'upi' ? [createElement('p', {}, [newUpi ?? ''])] : []),
      content,
      status,
      cancel,
    ]),
  );

  async function accept(token: string): Promise<void> {
    // Hidden instead of removed: the provider's script holds a reference to the container.
    content.hidden = true;
    status.replaceChildren(createSkeleton('Saving', ['widget-label', 'widget-button']));
    if (step === 'present') {
      sessionStorage.setItem(TOKEN_KEY, token);
      location.replace(verifyPath('new'));
      return;
    }
    const result = await send(token);
    if (result.body) await leave();
    else {
      // The tokens are used: the first widget starts again in a new page.
      const retry = () => location.replace(verifyPath(step === 'new' ? 'present' : step));
      status.replaceChildren(createFailure(failureSentence(result), retry, 'main'));
    }
  }
}

function createGroup(number: 'present' | 'new', widget: HTMLElement): HTMLElement {
  const heading = createElement('h2', { id: GROUP_ID }, [CHANGE_PHONE[number]]);
  const content = number === 'present' ? [heading, createSupportLine(), widget] : [heading, widget];
  return createElement('div', { role: 'group', 'aria-labelledby': GROUP_ID }, content);
}

function createSupportLine(): HTMLElement {
  const { supportEmail } = settings();
  const link = createElement('a', { href: `mailto:${supportEmail}` }, [supportEmail]);
  return createElement('p', { class: 'account-support' }, [`${CHANGE_PHONE.lost} `, link, '.']);
}

function send(token: string) {
  if (step === 'delete') return call(deleteAccount, { body: { token } });
  if (step === 'upi') return call(updateExtras, { body: { upi: newUpi, token } });
  const presentToken = sessionStorage.getItem(TOKEN_KEY) ?? '';
  sessionStorage.removeItem(TOKEN_KEY);
  return call(changePhone, { body: { token: presentToken, newToken: token } });
}

async function leave(): Promise<void> {
  if (step === 'delete') {
    await clearOwnerStorage();
    loadWithReason(PATHS.start, 'accountDeleted');
    return;
  }
  if (step === 'upi') {
    const { upi: _, ...extras } = draft?.extras ?? {};
    await writeDraft('edit', userId ?? '', { profile: {}, ...draft, extras });
    showAlert('Data updated successfully');
    location.replace(PATHS.edit);
    return;
  }
  loadWithState(PATHS.account, { isPhoneChanged: true });
}

const page = document.querySelector<HTMLElement>('.account-verify');
if (userId === null) location.replace(PATHS.login);
else if (page) start(page);
