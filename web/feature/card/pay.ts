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
