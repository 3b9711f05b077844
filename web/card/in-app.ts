/** Browsers inside of apps, which drop a download without a word. */
const IN_APP = /Instagram|FBA[NV]|LinkedInApp|Snapchat/;

/** Says how to save a contact where Save cannot work. */
export function explainInAppBrowser(page: Document): void {
  const note = page.querySelector<HTMLElement>('.in-app');
  if (note && IN_APP.test(navigator.userAgent)) note.hidden = false;
}
