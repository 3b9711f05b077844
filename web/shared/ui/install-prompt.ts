import { useQuery } from '@tanstack/react-query';

import { queryClient } from '#web/shared/http/query.ts';

/** TypeScript does not define this event, because not every browser sends it. */
interface InstallPrompt extends Event {
  readonly prompt: () => Promise<unknown>;
}

const queryKey = ['install-prompt'];
const keepPrompt = (event: Event | null) => queryClient.setQueryData(queryKey, event);

/**
 * Keeps the browser's install prompt, and keeps the browser from showing its own banner. It must be called at
 * the start of the page, because the browser sends the event only once.
 */
export function listenForInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    keepPrompt(event);
  });
  window.addEventListener('appinstalled', () => keepPrompt(null));
}

/** Returns a function that shows the prompt once, or null if the application cannot be installed or already is. */
export function useInstallPrompt(): (() => void) | null {
  const { data: event } = useQuery<InstallPrompt | null>({ queryKey, enabled: false });
  if (!event) return null;
  return () => {
    keepPrompt(null);
    void event.prompt();
  };
}
