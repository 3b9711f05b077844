import type { ApiErrorBody } from '#contract/api-error.ts';
import type { Lead } from '#domain/lead-schema.ts';
import {
  cleanLeadInput,
  LEAD_FAILED,
  LEAD_INCOMPLETE,
  LEAD_SENT,
  isIncompleteLead,
} from '#domain/lead.ts';
import { PROGRESS_TIMEOUT_MS } from '#web/shared/http/request.ts';
import { showAlert } from '#web/shared/ui/alert.ts';

/** Whether this build counts visits (docs/product.md#analytics-view). */
declare const COUNTS_VISITS: boolean;
/** Whether the texts are attributes of the form and the kinds of visits attributes of the links. */
declare const HAS_LANGUAGES: boolean;

/** The attributes of the form (view/connect.tsx). */
type FormTexts = Readonly<
  Record<
    'user' | 'send' | 'count' | 'incomplete' | 'sent' | 'failed' | 'connecting' | 'copied',
    string
  >
>;

/* oxlint-disable prefer-add-event-listener -- handlers as properties are shorter; the script has a size limit */

/*
 * The public card is complete without it (docs/product.md#connect). One block, because the minifier
 * shortens its names and inlines its constants.
 */
{
  const page = document;
  const form = page.forms[0] as HTMLFormElement;
  const popup = form.parentNode as HTMLDialogElement;
  const { dataset } = form as unknown as { readonly dataset: FormTexts };
  const browser = navigator;
  /** The icon turns to a tick (view/button.css). */
  const DONE = ' is-done';
  const opener = page.querySelector('article button') as HTMLElement;
  const fieldOf = (name: string) => form[name] as HTMLInputElement;
  const [sent, failed, offline] = (page.querySelector('#outcome') as HTMLElement)
    .children as unknown as [HTMLElement, HTMLElement, HTMLElement];

  /** Once in a tab, and never in the owner's own browser. Throws where storage is denied. */
  const count = (kind: string) => {
    // oxlint-disable-next-line no-param-reassign -- the script has a size limit
    sessionStorage[(kind = dataset.count + kind)] ||=
      dataset.user === localStorage['_id'] || browser.sendBeacon(kind);
  };

  /** Without counts, Save is the only link that is handled. */
  const kindOf = ({ dataset: { kind }, href }: HTMLAnchorElement) =>
    COUNTS_VISITS ? kind : href && 'Save';

  // The links to the other faces have no kind, and go their way.
  const counted = HAS_LANGUAGES ? '[data-kind]' : 'article a';
  const controls = `[popovertarget],${COUNTS_VISITS ? counted : '[href$=vcf]'}`;
  for (const control of page.querySelectorAll<HTMLAnchorElement>(controls)) {
    control.onclick = () => {
      // A button has neither.
      const { text } = HAS_LANGUAGES ? { text: kindOf(control) } : control;
      if (text) {
        // A download without a network would replace the card by an error page of the browser.
        if (text === 'Save') {
          if (!(offline.hidden = browser.onLine)) return false;
          control.className += DONE;
        }
        if (COUNTS_VISITS) count(text);
      } else if (popup.open) popup.close();
      else {
        // It gets the focus back: 'Try again' may be hidden by then.
        opener.focus();
        popup.showModal();
      }
      return !!text;
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
      showAlert(HAS_LANGUAGES ? dataset.incomplete : LEAD_INCOMPLETE);
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
    let message = '';
    let token;
    button.disabled = true;
    const label = HAS_LANGUAGES ? button.innerText : 'Connect';
    button.innerText = HAS_LANGUAGES ? dataset.connecting : 'Connecting';
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
      message = ((await response.json()) as Partial<ApiErrorBody>).message ?? '';
    } catch {}
    button.disabled = false;
    button.innerText = label;
    showAlert(
      isSent
        ? HAS_LANGUAGES
          ? dataset.sent
          : LEAD_SENT
        : HAS_LANGUAGES
          ? dataset.failed
          : LEAD_FAILED,
    );
    popup.close();
    sent.hidden = !isSent;
    failed.hidden = isSent;
    (failed.lastChild as HTMLElement).innerText = message;
    if (isSent) {
      form.reset();
      if (COUNTS_VISITS) count('Connect');
    }
  };

  // In-app browsers that ignore downloads, and every Android web view.
  const note = page.querySelector('#in-app') as HTMLElement;
  note.hidden =
    !/Instagram|FBA[NV]|LinkedIn|Snapchat|Twitter|Telegram| Line\/|musical_ly|Bytedance|TikTok|Teams|MicroMessenger|; wv\)/.test(
      browser.userAgent,
    );
  for (const button of page.querySelectorAll<HTMLButtonElement>('#in-app button,article [value]')) {
    // Its value; the first one has none and copies the address of the page.
    const text = button.value || page.URL;
    button.hidden = false;
    button.onclick = async () => {
      try {
        await browser.clipboard.writeText(text);
        if (button.value) button.className += DONE;
        else button.innerText = HAS_LANGUAGES ? dataset.copied : 'Copied';
      } catch {
        prompt('', text);
      }
    };
  }

  // The last statement, because it may throw. A page that is prerendered, or opened in the
  // background, is counted when it is first visible.
  if (COUNTS_VISITS) (page.onvisibilitychange = () => page.hidden || count('Open'))();
}
