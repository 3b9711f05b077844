/** Every alert goes through here. */
export function showAlert(message: string): void {
  alert(message);
}
