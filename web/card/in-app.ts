/** Browsers inside of apps: they drop a download without a word, so Save needs a sentence there. */
const IN_APP = /Instagram|FBA[NV]|LinkedInApp|Snapchat/;

export function isInAppBrowser(): boolean {
  return IN_APP.test(navigator.userAgent);
}
