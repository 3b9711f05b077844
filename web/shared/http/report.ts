/** Logs a failure that is not shown to the user (docs/develop/product.md#messages). */
export function logFailure(message: string, cause: unknown): void {
  // eslint-disable-next-line no-console -- the only place that writes to the console
  console.error(message, cause);
}

/** See docs/develop/product.md#messages. An arrow function keeps the public card's script within its size limit. */
// eslint-disable-next-line no-alert -- the product's messages are the browser's own alerts
export const showAlert = (message: string): void => alert(message);

export function confirm(question: string): boolean {
  // eslint-disable-next-line no-alert -- consistent with the browser's dialog when a tab is closed
  return window.confirm(question);
}
