import { useSyncExternalStore } from 'react';

/** Not in every browser, so TypeScript does not know it. */
interface InstallPrompt extends Event {
  readonly prompt: () => Promise<unknown>;
}

let installPrompt: InstallPrompt | null = null;
const listeners = new Set<() => void>();

function setInstallPrompt(prompt: InstallPrompt | null): void {
  installPrompt = prompt;
  for (const listener of listeners) listener();
}

/** From the start of the page, because the browser sends it once. Its own banner is not shown. */
export function listenForInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    setInstallPrompt(event as InstallPrompt);
  });
  window.addEventListener('appinstalled', () => setInstallPrompt(null));
}

/** Null where the browser cannot install the application, or has done it. It works once. */
export function useInstallPrompt(): (() => void) | null {
  const prompt = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => installPrompt,
  );
  return (
    prompt &&
    (() => {
      setInstallPrompt(null);
      void prompt.prompt();
    })
  );
}
