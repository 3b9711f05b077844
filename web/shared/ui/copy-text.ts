/** Rejects if the browser did not copy it. */
export async function copyText(text: string): Promise<void> {
  try {
    // Over plain HTTP there is no clipboard API, except on localhost (Secure Contexts).
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
}

/** The older API copies what is selected. Restores the focus. */
function copyBySelection(text: string): void {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  // Fixed, so that the page does not scroll to it.
  area.style.position = 'fixed';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!isCopied) throw new Error('The browser did not copy the selected text');
}
