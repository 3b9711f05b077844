/**
 * Shows a message as an alert (docs/product.md#messages). An arrow function, because the script of the
 * public card has a size limit.
 */
// eslint-disable-next-line no-alert -- the product's messages are the browser's own alerts
export const showAlert = (message: string): void => alert(message);

/** Shows a question with OK and Cancel; returns whether the user chose OK. */
export function confirm(question: string): boolean {
  // eslint-disable-next-line no-alert -- consistent with the browser's dialog when a tab is closed
  return window.confirm(question);
}
