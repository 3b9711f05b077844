import '#web/shared/profile/early.ts';

import { storedId } from '#web/shared/http/session.ts';
import { cardLink } from '#web/shared/profile/card-link.ts';

import { createQrCode, qrViewBox } from '#view/qr-code.ts';
import { isQrShortcut, showEarlyQrScreen } from './qr-shortcut.ts';

/* Shows the QR code seconds before the application has loaded on a slow connection. */
const image = document.querySelector('.qr-image');
const id = storedId();
if (image && id !== null) {
  const code = createQrCode(cardLink(id));
  image.setAttribute('viewBox', qrViewBox(code));
  image.firstElementChild?.setAttribute('d', code.path);
  if (isQrShortcut()) showEarlyQrScreen(image);
}
