import { changePhone, deleteAccount } from '#contract/account.ts';
import { PATHS } from '#domain/path.ts';
import { call } from '#web/http/call.ts';
import { failureSentence, hasSessionEnded } from '#web/http/failure.ts';
import { loadWithReason, loadWithState } from '#web/http/redirect-reason.ts';
import { clearStorage, storedId } from '#web/http/session.ts';
import { createFailure, createSkeleton } from '#web/otp/widget-content.ts';
import { startWidget } from '#web/otp/widget.ts';
import { createElement } from '#web/ui/create-element.ts';

import { CHANGE_PHONE, DELETE_ACCOUNT } from './purpose.ts';

/*
 * The script of the document in which a third party's widget verifies a phone for a change of the
 * account (docs/product.md#account). It is left by a full page load.
 */

const TITLE_ID = 'verify-title';
const isDeletion = new URLSearchParams(location.search).get('for') === 'delete';
const purpose = isDeletion ? DELETE_ACCOUNT : CHANGE_PHONE;
const userId = storedId();

function start(page: HTMLElement): void {
  const status = createElement('div', {});
  // Hidden instead of removed: the provider's script holds a reference to the container.
  const widget = startWidget((token) => confirm(token));
  page.replaceChildren(
    createElement('div', { class: 'account-dialog', role: 'dialog', 'aria-labelledby': TITLE_ID }, [
      createElement('h1', { id: TITLE_ID }, [purpose.title]),
      createElement('p', {}, [purpose.text]),
      widget,
      status,
      createElement('a', { class: 'account-cancel', href: PATHS.account }, ['Cancel']),
    ]),
  );

  async function confirm(token: string): Promise<void> {
    widget.hidden = true;
    status.replaceChildren(createSkeleton('Saving', ['widget-label', 'widget-button']));
    const input = { params: { id: userId ?? '' }, body: { token } };
    const result = await call(isDeletion ? deleteAccount : changePhone, input);
    if (result.body) await leave();
    else if (hasSessionEnded(result)) {
      await clearStorage();
      loadWithReason(PATHS.login, 'loggedOut');
    } else {
      // The token is used: the widget starts again in a new page.
      status.replaceChildren(createFailure(failureSentence(result), reload, 'main'));
    }
  }
}

function reload(): void {
  location.reload();
}

async function leave(): Promise<void> {
  if (isDeletion) {
    await clearStorage();
    loadWithReason(PATHS.start, 'accountDeleted');
    return;
  }
  loadWithState(PATHS.account, { isPhoneChanged: true });
}

const page = document.querySelector<HTMLElement>('.account-verify');
if (userId === null) location.replace(PATHS.login);
else if (page) start(page);
