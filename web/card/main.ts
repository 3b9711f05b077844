import { enhanceConnect } from './connect.ts';

/* The only script of the public card. The page is complete without it. */

const popup = document.querySelector('dialog');
const [form] = document.forms;
if (popup && form) enhanceConnect(popup, form);

/**
 * In-app browsers that ignore downloads silently: by their names, and every Android web view. They
 * show a note that Save does not work, with the link to open elsewhere.
 */
const IN_APP_BROWSER =
  /Instagram|FBA[NV]|LinkedInApp|Snapchat|Twitter|Telegram| Line\/|musical_ly|Bytedance|TikTok|Teams|MicroMessenger|; wv\)/;

const note = document.querySelector<HTMLElement>('.in-app');
const copy = note?.querySelector('button');
if (note && copy) {
  note.hidden = !IN_APP_BROWSER.test(navigator.userAgent);
  // oxlint-disable-next-line prefer-add-event-listener -- the script has a size limit of 2 KB
  copy.onclick = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      copy.textContent = 'Copied';
    } catch {
      // Without access to the clipboard the visitor copies the link from this field.
      // eslint-disable-next-line no-alert -- no other field that every web view can copy from
      prompt('', location.href);
    }
  };
}
