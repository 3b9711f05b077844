/** Shows a message as an alert (docs/product.md#messages). */
export function showAlert(message: string): void {
  // eslint-disable-next-line no-alert -- the product's messages are the browser's own alerts
  window.alert(message);
}

/** Shows a question with OK and Cancel; returns whether the user chose OK. */
export function confirm(question: string): boolean {
  // eslint-disable-next-line no-alert -- consistent with the browser's dialog when a tab is closed
  return window.confirm(question);
}
