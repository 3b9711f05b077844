import type { ApiErrorBody } from '#contract/api-error.ts';
import type { addContact } from '#contract/contact.ts';
import type { Reply } from '#contract/endpoint.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { isPasteTruncated } from '#domain/invisible.ts';
import { cleanLeadInput, isIncompleteLead } from '#domain/lead.ts';
import { PROGRESS_TIMEOUT_MS } from '#web/shared/http/request.ts';
import { showAlert } from '#web/shared/http/report.ts';

/** The attributes of the form (view/connect.tsx). */
type FormAttributes = Readonly<
  Record<
    'user' | 'send' | 'incomplete' | 'sent' | 'failed' | 'connecting' | 'copied' | 'cut',
    string
  >
> & {
  /** The URL that counts visits (docs/develop/product.md#analytics-view), or absent if they are not counted. */
  readonly count?: string;
};

/** The build sets this. If it is false, the minifier removes all code of the receipt (docs/operate/dpdp.md). */
declare const HAS_RECEIPT: boolean;

/* oxlint-disable prefer-add-event-listener -- handlers as properties are shorter; the script has a size limit */

/*
 * The script of the public card, which works without it (docs/develop/product.md#connect). The block lets the minifier
 * shorten the names and inline the constants.
 */
{
  const page = document;
  const form = page.forms[0] as HTMLFormElement;
  const popup = form.parentNode as HTMLDialogElement;
  const { dataset } = form as unknown as { readonly dataset: FormAttributes };
  const browser = navigator;
  // Removes the token of a QR code on the owner's screen (docs/develop/product.md#handshake) from the address bar.
  if (location.search.startsWith('?s=')) history.replaceState(null, '', location.pathname);
  /** The class that turns a button's icon into a tick (view/button.css). */
  const DONE = ' is-done';
  const opener = page.querySelector('article button') as HTMLElement;
  const fieldOf = (name: string) => form[name] as HTMLInputElement;
  const [sent, failed, offline, openFile, receipt] = (page.querySelector('#outcome') as HTMLElement)
    .children as unknown as HTMLElement[] & Record<0 | 1 | 2 | 3 | 4, HTMLElement>;

  /** Counts once in a tab, and never in the owner's own browser. Throws if the browser denies storage. */
  const countVisit = (kind: string) => {
    if (!dataset.count) return;
    const url = dataset.count + kind;
    sessionStorage[url] ||= dataset.user === localStorage['_id'] || browser.sendBeacon(url);
  };

  const copy = async (text: string, confirm: () => void) => {
    try {
      await browser.clipboard.writeText(text);
      confirm();
    } catch {
      prompt('', text);
    }
  };

  /** Shows the link and keeps it for this tab. Throws if the browser denies storage, but shows a new link before. */
  const showReceipt = (path?: string) => {
    const key = `receipt ${dataset.user}`;
    path ||= sessionStorage[key] as string | undefined;
    if (!path) return;
    const [link, button] = receipt.children as unknown as [HTMLAnchorElement, HTMLElement];
    // Only the path changes, so that the query keeps the language of the page.
    link.pathname = path;
    receipt.hidden = false;
    button.onclick = () => copy(link.href, () => (button.innerText = dataset.copied));
    sessionStorage[key] = path;
  };

  for (const control of page.querySelectorAll<HTMLElement>('[popovertarget],[data-kind]')) {
    control.onclick = () => {
      const { kind } = control.dataset;
      if (kind) {
        // Without a network, a download would replace the card with an error page of the browser.
        if (kind === 'Save') {
          if (!(offline.hidden = browser.onLine)) return false;
          control.className += DONE;
          // Android downloads the file without opening it.
          openFile.hidden = !/Android/.test(browser.userAgent);
        }
        countVisit(kind);
      } else if (popup.open) popup.close();
      else {
        // The browser returns the focus to this button when the pop-up closes. 'Try again' may be hidden by then.
        opener.focus();
        popup.showModal();
      }
      return !!kind;
    };
  }

  (page.querySelector('footer button') as HTMLElement).onclick = () => print();

  form.onkeydown = (event) => {
    const next = { name: 'mobile', mobile: 'email', email: 'companyName' }[
      (event.target as HTMLInputElement).name
    ];
    // While the user composes a word with an input method, Enter only ends the composition.
    if (next && event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      fieldOf(next).focus();
    }
  };
  const cutNotice = page.createElement('output');
  cutNotice.innerText = dataset.cut;
  form.oninput = () => {
    for (const field of form) field.removeAttribute('aria-invalid');
    cutNotice.remove();
  };
  form.onpaste = ({ target, clipboardData }) => {
    const pasted = (clipboardData as DataTransfer).getData('text');
    const field = target as HTMLInputElement;
    // The browser inserts the text after this event.
    setTimeout(() => isPasteTruncated(field.value, pasted) && field.after(cutNotice));
  };

  form.onsubmit = async (event) => {
    event.preventDefault();
    const typed: Record<string, string> = {};
    for (const [name, value] of new FormData(form)) typed[name] = cleanLeadInput(value as string);
    // `subject` is the honeypot (domain/lead.ts).
    const { subject, ...contact } = typed;
    if (isIncompleteLead(contact as Lead)) {
      showAlert(dataset.incomplete);
      // The last field of this list keeps the focus, so the first one in the form comes last.
      for (const name of contact['name'] ? ['email', 'mobile'] : ['name']) {
        fieldOf(name).setAttribute('aria-invalid', 'true');
        fieldOf(name).focus();
      }
      return;
    }
    // Disabling the button also keeps Enter from sending the form again.
    const button = event.submitter as HTMLButtonElement;
    let isSent = false;
    let answer: Partial<ApiErrorBody> & Reply<typeof addContact> = {};
    let token;
    button.disabled = true;
    const label = button.innerText;
    button.innerText = dataset.connecting;
    try {
      // The visitor may also be a signed-in owner. The browser may deny access to storage.
      token = localStorage['sessionToken'] as string | undefined;
    } catch {}
    try {
      const response = await fetch(dataset.send, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: token ?? '' },
        body: JSON.stringify({
          userID: dataset.user,
          contact,
          subject: subject || undefined,
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
      (sent.firstChild as HTMLElement).innerHTML = answer.tile ?? '';
      if (HAS_RECEIPT)
        try {
          showReceipt(answer.receipt);
        } catch {}
      countVisit('Connect');
    }
  };

  // The pattern matches in-app browsers that ignore downloads, and every web view. The user agent of a web view
  // contains '; wv)' on Android, and Mobile/ without Safari/ on iOS. The Google app on iOS sends both and GSA/.
  const inAppNote = page.querySelector('#in-app') as HTMLElement;
  inAppNote.hidden =
    !/Instagram|FBA[NV]|LinkedIn|Snapchat|Telegram| Line\/|Bytedance|Teams|MicroMessenger|; wv\)|GSA\/|Mobile\/(?!.*Safari\/)/.test(
      browser.userAgent,
    );
  for (const button of page.querySelectorAll<HTMLButtonElement>(
    '#in-app button,article [value],#pay [value]',
  )) {
    // Each button copies its value. The button in the note has none and copies the URL of the page.
    const text = button.value || page.URL;
    button.hidden = false;
    button.onclick = () =>
      copy(text, () => {
        if (button.value) button.className += DONE;
        else button.innerText = dataset.copied;
      });
  }

  if (HAS_RECEIPT)
    try {
      showReceipt();
    } catch {}
  // This statement may throw, so it is the last one. A page that is prerendered, or opened in the background, is
  // counted when it first becomes visible.
  (page.onvisibilitychange = () => page.hidden || countVisit('Open'))();
}
