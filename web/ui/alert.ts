/** Every alert goes through here, so that one file would change how they look. */
export function showAlert(message: string): void {
  // eslint-disable-next-line no-alert -- the specification asks for the browser's own
  window.alert(message);
}

/** A question that needs an answer before anything else goes on. */
export function confirm(question: string): boolean {
  // eslint-disable-next-line no-alert -- as `say`; and the browser asks the same way when a tab closes
  return window.confirm(question);
}
