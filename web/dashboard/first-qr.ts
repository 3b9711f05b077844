import { storedId } from '#web/http/session.ts';

import { createQrCode, qrViewBox } from './qr-code.ts';
import { cardLink } from './card-link.ts';

/*
 * Draws the QR code into the static document of the dashboard, seconds before the application has
 * loaded on a slow line. The application then replaces it by the same one.
 */
const image = document.querySelector('.qr-image');
const id = storedId();
if (image && id !== null) {
  const code = createQrCode(cardLink(id));
  image.setAttribute('viewBox', qrViewBox(code));
  image.firstElementChild?.setAttribute('d', code.path);
}
