const SECOND_MS = 1000;

/** The resend button: says how long to wait, then lets itself be pressed. */
export function resendCountdown(button: HTMLButtonElement) {
  let readyAt = 0;
  let timer = 0;

  function show(): void {
    const seconds = Math.ceil((readyAt - Date.now()) / SECOND_MS);
    const isReady = seconds <= 0;
    button.disabled = !isReady;
    button.textContent = isReady ? 'Resend code' : `Resend code in ${seconds} s`;
    if (isReady) clearInterval(timer);
  }

  return {
    /** Starts anew. */
    start(waitSeconds: number): void {
      clearInterval(timer);
      readyAt = Date.now() + waitSeconds * SECOND_MS;
      timer = window.setInterval(show, SECOND_MS);
      show();
    },
    /** Back to the truth, after the button was held for a call. */
    show,
  };
}
