import { changePhone, deleteAccount } from '#contract/account.ts';
import { updateExtras } from '#contract/extras.ts';
import { removePasskey } from '#contract/passkey.ts';
import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { ALLOW_STORAGE } from '#domain/language/en.ts';
import { PATHS } from '#domain/path.ts';
import { readItem, removeItem, writeItem } from '#web/shared/http/browser-storage.ts';
import { call } from '#web/shared/http/call.ts';
import { failureSentence } from '#web/shared/http/failure-text.ts';
import { NO_RESPONSE } from '#web/shared/http/request.ts';
import { leaveDeletedAccount, loadWithState } from '#web/shared/http/session-end.ts';
import { readDraft, settleDraft, storedId } from '#web/shared/http/storage.ts';
import { settings } from '#web/shared/http/settings.ts';
import { startWidget } from '#web/shared/otp/widget.ts';
import type { WidgetFailure } from '#web/shared/otp/widget.ts';
import { createPasskey, verifyByPasskey } from '#web/shared/passkey/passkey.ts';
import { canUsePasskeys } from '#web/shared/passkey/support.ts';
import type { EditDraft } from '#web/shared/profile/draft.ts';
import { showAlert } from '#web/shared/http/report.ts';
import { createElement } from '#web/shared/ui/create-element.ts';
import {
  ADD_PASSKEY,
  BRING_IN,
  CHANGE_PHONE,
  CONFIRM_UPI,
  DELETE_ACCOUNT,
  REMOVE_PASSKEY,
  verifyPath,
} from '#web/shared/otp/purpose.ts';
import type { VerifyStep } from '#web/shared/otp/purpose.ts';

/*
 * The script of the documents that contain a third party's widget (docs/develop/product.md#account). Only full page
 * loads lead away from them.
 */

const TITLE_ID = 'verify-title';
const GROUP_ID = 'verify-group';
/** Stores the token of the present number while the owner verifies the new one. */
const TOKEN_KEY = BROWSER_STORAGE.sessionStorage.presentPhone;
const query = new URLSearchParams(location.search);
const userId = storedId();
const { value: draft } = await readDraft<EditDraft>('edit', userId ?? '');
const newUpi = draft?.extras?.upi;
const step = readStep();
const purpose = {
  delete: DELETE_ACCOUNT,
  upi: CONFIRM_UPI,
  archive: BRING_IN,
  present: CHANGE_PHONE,
  new: CHANGE_PHONE,
  add: ADD_PASSKEY,
  remove: REMOVE_PASSKEY,
}[step];

function readStep(): VerifyStep {
  const name = query.get('for');
  if (name === 'delete' || name === 'archive' || name === 'add') return name;
  if (name === 'remove' && query.has('passkey')) return name;
  if (name === 'upi' && newUpi !== undefined) return name;
  return name === 'new' && readItem(TOKEN_KEY, 'sessionStorage') !== null ? name : 'present';
}

function start(page: HTMLElement): void {
  if (step !== 'new') removeItem(TOKEN_KEY, 'sessionStorage');
  const isGroup = step === 'present' || step === 'new';
  const widget = startWidget({
    ...(isGroup && { storage: 'sessionStorage' }),
    busyText: 'Saving',
    useToken,
    timeoutFailure: { sentence: NO_RESPONSE, retry: () => location.assign(PATHS.account) },
  });
  const cancel = createElement(
    'a',
    { class: 'account-cancel', href: step === 'upi' ? PATHS.edit : PATHS.account },
    ['Cancel'],
  );
  cancel.addEventListener('click', () => removeItem(TOKEN_KEY, 'sessionStorage'));
  page.replaceChildren(
    createElement('div', { class: 'account-dialog', role: 'dialog', 'aria-labelledby': TITLE_ID }, [
      createElement('h1', { id: TITLE_ID }, [purpose.title]),
      createElement('p', {}, [purpose.text]),
      ...(step === 'upi' ? [createElement('p', {}, [newUpi ?? ''])] : []),
      ...(isGroup ? [createNumberGroup(step, widget)] : [widget, ...createPasskeyButton()]),
      cancel,
    ]),
  );
}

async function useToken(token: string): Promise<WidgetFailure | null> {
  if (step === 'archive') {
    loadWithState(PATHS.account, { archiveToken: token });
    return null;
  }
  if (step === 'present') {
    if (!writeItem(TOKEN_KEY, token, 'sessionStorage')) return { sentence: ALLOW_STORAGE };
    location.replace(verifyPath('new'));
    return null;
  }
  const failure = await makeChange(token);
  if (failure === null) {
    await leaveAfterSuccess();
    return null;
  }
  // The tokens are used up, so a retry starts again with the first widget in a new page.
  const retry = () => {
    if (step === 'new') location.replace(verifyPath('present'));
    else location.reload();
  };
  return { sentence: failure, retry };
}

/** Returns the sentence of a failure, or null. */
async function makeChange(token: string): Promise<string | null> {
  if (step === 'add')
    return createPasskey(token).then(
      () => null,
      (cause: Error) => cause.message,
    );
  const result = await send(token);
  return result.body ? null : failureSentence(result);
}

function createPasskeyButton(): HTMLElement[] {
  if (!canUsePasskeys()) return [];
  const attributes = { type: 'button', class: 'ui-button ui-button-outlined' };
  const button = createElement('button', attributes, ['Use a passkey']);
  const message = createElement('p', { class: 'error', role: 'alert' });
  button.addEventListener('click', async () => {
    const failure = await verifyByPasskey().then(useToken, ({ message: sentence }: Error) => ({
      sentence,
    }));
    message.textContent = failure?.sentence ?? '';
  });
  return [button, message];
}

/** A passkey never verifies a new number. */
function createNumberGroup(number: 'present' | 'new', widget: HTMLElement): HTMLElement {
  const heading = createElement('h2', { id: GROUP_ID }, [CHANGE_PHONE[number]]);
  const { supportEmail } = settings();
  const link = createElement('a', { href: `mailto:${supportEmail}` }, [supportEmail]);
  const lost = createElement('p', { class: 'account-support' }, [
    `${CHANGE_PHONE.lost} `,
    link,
    '.',
  ]);
  const content =
    number === 'present' ? [heading, lost, widget, ...createPasskeyButton()] : [heading, widget];
  return createElement('div', { role: 'group', 'aria-labelledby': GROUP_ID }, content);
}

function send(token: string) {
  if (step === 'delete') return call(deleteAccount, { body: { token } });
  if (step === 'remove')
    return call(removePasskey, { body: { passkey: query.get('passkey') ?? '', token } });
  if (step === 'upi') return call(updateExtras, { body: { upi: newUpi, token } });
  const presentToken = readItem(TOKEN_KEY, 'sessionStorage') ?? '';
  removeItem(TOKEN_KEY, 'sessionStorage');
  return call(changePhone, { body: { token: presentToken, newToken: token } });
}

async function leaveAfterSuccess(): Promise<void> {
  if (step === 'delete') return leaveDeletedAccount();
  if (step === 'upi') {
    await settleDraft('edit', userId ?? '', { extras: { upi: newUpi } });
    showAlert('Data updated successfully');
    location.replace(PATHS.edit);
    return;
  }
  loadWithState(PATHS.account, { isPhoneChanged: step === 'new' });
}

const page = document.querySelector<HTMLElement>('.account-verify');
if (userId === null) location.replace(PATHS.login);
else if (page) start(page);
