import { createQrCode, qrViewBox } from '#view/qr-code.ts';

/** A QR code of a long name is shown larger. */
const DENSE_SIDE_MODULES = 57;

/*
 * The sheet 'Pay by UPI' of the public card (docs/product.md#more-on-your-card). A file of its own: most
 * cards have no UPI ID.
 */
{
  const page = document;
  const sheet = page.querySelector('#pay') as HTMLDialogElement;
  const opener = page.querySelector('#pay-open') as HTMLButtonElement;
  const copy = page.querySelector('#pay-copy') as HTMLButtonElement;
  const { dataset } = page.forms[0] as HTMLFormElement;

  /** Counts as the card's own script does: once in a tab, and never in the owner's own browser. */
  const count = () => {
    const address = dataset['count'];
    if (address === undefined) return;
    const kind = `${address}UPI`;
    try {
      sessionStorage[kind] ||=
        dataset['user'] === localStorage['_id'] || navigator.sendBeacon(kind);
    } catch {
      // Where storage is denied.
    }
  };

  const code = createQrCode(sheet.querySelector('a')?.getAttribute('href') ?? '');
  const picture = sheet.querySelector('.pay-qr');
  picture?.setAttribute('viewBox', qrViewBox(code));
  picture?.querySelector('path')?.setAttribute('d', code.path);
  sheet.classList.toggle('pay-dense', code.side > DENSE_SIDE_MODULES);

  opener.addEventListener('click', () => {
    sheet.showModal();
    count();
  });
  sheet.addEventListener('click', ({ target }) => {
    if (target === sheet) sheet.close();
  });

  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(copy.value);
      copy.classList.add('is-done');
    } catch {
      prompt('', copy.value);
    }
  });

  (page.querySelector('#pay-app') as HTMLElement).hidden = !/Android/.test(navigator.userAgent);
}
