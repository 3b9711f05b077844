/** Every alert goes through here. */
export function say(message: string): void {
  alert(message);
}
