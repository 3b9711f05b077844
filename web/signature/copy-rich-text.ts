interface RichText {
  readonly html: string;
  readonly text: string;
}

/**
 * In a 'copy' event: the clipboard API would check the HTML against this page's content security
 * policy, which blocks inline styles. Throws if the browser did not copy.
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
