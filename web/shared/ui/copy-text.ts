/** Copies a text to the clipboard. Rejects if the browser did not copy it. */
export async function copyText(text: string): Promise<void> {
  try {
    // Browsers offer no clipboard API over plain HTTP, except on localhost (Secure Contexts).
    await navigator.clipboard.writeText(text);
  } catch {
    copySelection(document.body, { 'text/plain': text });
  }
}

/**
 * Copies data of several types with the older API, which copies a selection. Safari copies nothing unless
 * something is selected, so `selected` is selected meanwhile. Throws if nothing was copied.
 */
export function copySelection(selected: Element, data: Readonly<Record<string, string>>): void {
  const setData = (event: ClipboardEvent) => {
    for (const [type, text] of Object.entries(data)) event.clipboardData?.setData(type, text);
    event.preventDefault();
  };
  const selection = getSelection();
  selection?.selectAllChildren(selected);
  document.addEventListener('copy', setData);
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', setData);
  selection?.removeAllRanges();
  if (!isCopied) throw new Error('The browser did not copy the selection');
}
