import { showConnect } from './connect.ts';
import { explainInAppBrowser } from './in-app.ts';

/* The public card's only script. The page is complete without it. */

showConnect(document);
explainInAppBrowser(document);
