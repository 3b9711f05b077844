interface RichText {
  readonly html: string;
  readonly text: string;
}

/**
 * The clipboard API would apply this page's policy to inline styles. Throws if nothing was copied.
 */
export function copyRichText(element: Element, { html, text }: RichText): void {
  const setData = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/html', html);
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  // Safari copies only a selection.
  const selection = getSelection();
  selection?.selectAllChildren(element);
  document.addEventListener('copy', setData);
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', setData);
  selection?.removeAllRanges();
  if (!isCopied) throw new Error('The browser did not copy the signature');
}
