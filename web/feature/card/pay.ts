import { createQrCode, qrViewBox } from '#view/qr-code.ts';

/** A QR code with more modules on a side, such as that of a long name, is shown larger. */
const DENSE_SIDE_MODULES = 57;

/*
 * The script of the sheet 'Pay by UPI' of the public card (docs/develop/product.md#more-on-your-card). It is a file of its
 * own, because most cards have no UPI ID. The card's script counts the taps and copies the UPI ID.
 */
{
  const page = document;
  const sheet = page.querySelector('#pay') as HTMLDialogElement;

  const code = createQrCode(sheet.querySelector('a')?.getAttribute('href') ?? '');
  const picture = sheet.querySelector('.pay-qr');
  picture?.setAttribute('viewBox', qrViewBox(code));
  picture?.querySelector('path')?.setAttribute('d', code.path);
  sheet.classList.toggle('pay-dense', code.side > DENSE_SIDE_MODULES);

  page.querySelector('#pay-open')?.addEventListener('click', () => sheet.showModal());
  // A click on the backdrop closes the dialog only if it was pressed and released there. The second click of the
  // double click that opened the dialog does not count.
  let [pressed, released]: (EventTarget | null)[] = [];
  sheet.addEventListener(
    'mousedown',
    ({ target, detail }) => (pressed = detail > 1 ? null : target),
  );
  sheet.addEventListener('mouseup', ({ target }) => (released = target));
  sheet.addEventListener('click', ({ target }) => {
    if ([target, pressed, released].every((one) => one === sheet)) sheet.close();
  });

  (page.querySelector('#pay-app') as HTMLElement).hidden = !/Android/.test(navigator.userAgent);
}
