import type { ApiErrorBody } from '#contract/api-error.ts';
import type { addContact } from '#contract/contact.ts';
import type { Reply } from '#contract/endpoint.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { cleanLeadInput, isIncompleteLead } from '#domain/lead.ts';
import { PROGRESS_TIMEOUT_MS } from '#web/shared/http/request.ts';
import { showAlert } from '#web/shared/http/report.ts';

/** The attributes of the form (view/connect.tsx). */
type FormAttributes = Readonly<
  Record<'user' | 'send' | 'incomplete' | 'sent' | 'failed' | 'connecting' | 'copied', string>
> & {
  /** Visits are counted there (docs/product.md#analytics-view). Absent if they are not. */
  readonly count?: string;
};

/** Set by the build: with false the script has no byte of the receipt (docs/dpdp.md). */
declare const HAS_RECEIPT: boolean;

/* oxlint-disable prefer-add-event-listener -- handlers as properties are shorter; the script has a size limit */

/*
 * The public card is complete without it (docs/product.md#connect). One block, because the minifier
 * shortens its names and inlines its constants.
 */
{
  const page = document;
  const form = page.forms[0] as HTMLFormElement;
  const popup = form.parentNode as HTMLDialogElement;
  const { dataset } = form as unknown as { readonly dataset: FormAttributes };
  const browser = navigator;
  // The token of a QR code on the owner's screen (docs/product.md#handshake).
  if (location.search.startsWith('?s=')) history.replaceState(null, '', location.pathname);
  /** The icon turns to a tick (view/button.css). */
  const DONE = ' is-done';
  const opener = page.querySelector('article button') as HTMLElement;
  const fieldOf = (name: string) => form[name] as HTMLInputElement;
  const [sent, failed, offline, receipt] = (page.querySelector('#outcome') as HTMLElement)
    .children as unknown as [HTMLElement, HTMLElement, HTMLElement, HTMLElement];

  /** Once in a tab, and never in the owner's own browser. Throws where storage is denied. */
  const count = (kind: string) => {
    if (!dataset.count) return;
    const url = dataset.count + kind;
    sessionStorage[url] ||= dataset.user === localStorage['_id'] || browser.sendBeacon(url);
  };

  /** The tab keeps it. Throws where storage is denied, when it is shown already. */
  const showReceipt = (path?: string) => {
    const key = `receipt ${dataset.user}`;
    path ||= sessionStorage[key] as string | undefined;
    if (!path) return;
    const [link, copy] = receipt.children as unknown as [HTMLAnchorElement, HTMLElement];
    // Keeps the language of the page.
    link.pathname = path;
    receipt.hidden = false;
    copy.onclick = async () => {
      try {
        await browser.clipboard.writeText(link.href);
        copy.innerText = dataset.copied;
      } catch {
        prompt('', link.href);
      }
    };
    sessionStorage[key] = path;
  };

  for (const control of page.querySelectorAll<HTMLElement>('[popovertarget],[data-kind]')) {
    control.onclick = () => {
      const { kind } = control.dataset;
      if (kind) {
        // A download without a network would replace the card by an error page of the browser.
        if (kind === 'Save') {
          if (!(offline.hidden = browser.onLine)) return false;
          control.className += DONE;
        }
        count(kind);
      } else if (popup.open) popup.close();
      else {
        // It gets the focus back: 'Try again' may be hidden by then.
        opener.focus();
        popup.showModal();
      }
      return !!kind;
    };
  }

  form.onkeydown = (event) => {
    const next = { name: 'mobile', mobile: 'email', email: 'companyName' }[
      (event.target as HTMLInputElement).name
    ];
    // Not the Enter that ends the composition of a word.
    if (next && event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      fieldOf(next).focus();
    }
  };
  form.oninput = () => {
    for (const field of form) field.removeAttribute('aria-invalid');
  };

  form.onsubmit = async (event) => {
    event.preventDefault();
    const typed: Record<string, string> = {};
    for (const [name, value] of new FormData(form)) typed[name] = cleanLeadInput(value as string);
    const { website, ...contact } = typed;
    if (isIncompleteLead(contact as Lead)) {
      showAlert(dataset.incomplete);
      // The first one is the last, so it keeps the focus.
      for (const name of contact['name'] ? ['email', 'mobile'] : ['name']) {
        fieldOf(name).setAttribute('aria-invalid', 'true');
        fieldOf(name).focus();
      }
      return;
    }
    // While it is disabled, Enter does not send the form either.
    const button = event.submitter as HTMLButtonElement;
    let isSent = false;
    let answer: Partial<ApiErrorBody> & Reply<typeof addContact> = {};
    let token;
    button.disabled = true;
    const label = button.innerText;
    button.innerText = dataset.connecting;
    try {
      // A visitor may be a signed-in owner too. Browsers may deny access to storage.
      token = localStorage['sessionToken'] as string | undefined;
    } catch {}
    try {
      const response = await fetch(dataset.send, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: token ?? '' },
        // JSON omits an undefined website.
        body: JSON.stringify({
          userID: dataset.user,
          contact,
          website: website || undefined,
        }),
        signal: AbortSignal.timeout?.(PROGRESS_TIMEOUT_MS),
      });
      isSent = response.status === 200;
      answer = (await response.json()) as typeof answer;
    } catch {}
    button.disabled = false;
    button.innerText = label;
    showAlert(isSent ? dataset.sent : dataset.failed);
    popup.close();
    sent.hidden = !isSent;
    failed.hidden = isSent;
    (failed.lastChild as HTMLElement).innerText = answer.message ?? '';
    if (isSent) {
      form.reset();
      if (HAS_RECEIPT)
        try {
          showReceipt(answer.receipt);
        } catch {}
      count('Connect');
    }
  };

  // In-app browsers that ignore downloads, and every Android web view.
  const note = page.querySelector('#in-app') as HTMLElement;
  note.hidden =
    !/Instagram|FBA[NV]|LinkedIn|Snapchat|Twitter|Telegram| Line\/|musical_ly|Bytedance|TikTok|Teams|MicroMessenger|; wv\)/.test(
      browser.userAgent,
    );
  for (const button of page.querySelectorAll<HTMLButtonElement>('#in-app button,article [value]')) {
    // The text is the button's value; the first one has none and copies the address of the page.
    const text = button.value || page.URL;
    button.hidden = false;
    button.onclick = async () => {
      try {
        await browser.clipboard.writeText(text);
        if (button.value) button.className += DONE;
        else button.innerText = dataset.copied;
      } catch {
        prompt('', text);
      }
    };
  }

  if (HAS_RECEIPT)
    try {
      showReceipt();
    } catch {}
  // The last statement, because it may throw. A page that is prerendered, or opened in the
  // background, is counted when it is first visible.
  (page.onvisibilitychange = () => page.hidden || count('Open'))();
}
