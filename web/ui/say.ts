/** Every alert goes through here, so that one file would change how they look. */
export function say(message: string): void {
  // eslint-disable-next-line no-alert -- the specification asks for the browser's own
  window.alert(message);
}
