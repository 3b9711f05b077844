import { readyConnect } from './connect.ts';
import { isInAppBrowser } from './in-app.ts';

/* The public card's only script. The page is complete without it. */

const popup = document.querySelector('dialog');
const [form] = document.forms;
if (popup && form) readyConnect(popup, form);

const note = document.querySelector<HTMLElement>('.in-app');
if (note) note.hidden = !isInAppBrowser();
