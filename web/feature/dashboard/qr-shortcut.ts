import { PATHS } from '#domain/path.ts';
import { QR_SCREEN_QUERY } from '#domain/share.ts';

/* The home screen's shortcut to the QR code (docs/product.md#full-screen-qr-code). */

let earlyScreen: HTMLDialogElement | null = null;

/** False once one of the screens has ended it. */
export function isQrShortcut(): boolean {
  return new URLSearchParams(location.search).has(QR_SCREEN_QUERY);
}

/** So that neither a reload nor Back opens the code again. */
export function endQrShortcut(): void {
  history.replaceState(history.state, '', PATHS.dashboard);
}

/** As QrScreen, until the application has loaded. A press closes it. */
export function showEarlyQrScreen(image: Element): void {
  const dialog = document.createElement('dialog');
  earlyScreen = dialog;
  dialog.className = 'qr-screen';
  dialog.setAttribute('aria-label', 'QR code');
  // With the space of the person, so that nothing moves.
  const person = document.createElement('div');
  person.className = 'qr-person';
  dialog.append(image.cloneNode(true), person);
  dialog.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (isQrShortcut()) endQrShortcut();
  });
  document.body.append(dialog);
  dialog.showModal();
}

export function removeEarlyQrScreen(): void {
  earlyScreen?.remove();
}
