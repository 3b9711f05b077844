/** Node 20 and Firefox reject the host of this link, because it is not valid Punycode. Chromium and Node 24 accept it. */
const DISPUTED_LINK = 'https://xn--studio-asha.example.net/';
export const REJECTED_LINKS = URL.canParse(DISPUTED_LINK) ? [] : [DISPUTED_LINK];
