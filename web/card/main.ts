import { enhanceConnect } from './connect.ts';

/* The only script of the public card. The page is complete without it. */

const popup = document.querySelector('dialog');
const [form] = document.forms;
if (popup && form) enhanceConnect(popup, form);

/** In-app browsers that ignore downloads silently. They show a note that Save does not work. */
const IN_APP_BROWSER = /Instagram|FBA[NV]|LinkedInApp|Snapchat/;

const note = document.querySelector<HTMLElement>('.in-app');
if (note) note.hidden = !IN_APP_BROWSER.test(navigator.userAgent);
