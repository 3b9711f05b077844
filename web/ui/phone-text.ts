import { useSyncExternalStore } from 'react';

import { logFailure } from '#web/http/log.ts';

type Format = (phone: string) => string;

const asTyped: Format = (phone) => phone;

let format = asTyped;
let isRequested = false;
const listeners = new Set<() => void>();

/** As the phone's country writes it; as typed until the library has loaded, or if it fails to. */
export function usePhoneFormat(): Format {
  return useSyncExternalStore(
    subscribe,
    () => format,
    () => asTyped,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  void load();
  return () => listeners.delete(listener);
}

async function load(): Promise<void> {
  if (isRequested) return;
  isRequested = true;
  try {
    const { formatPhone } = await import('#view/phone-format.ts');
    format = formatPhone;
    for (const listener of listeners) listener();
  } catch (cause) {
    isRequested = false;
    logFailure('Phones are shown as typed', cause);
  }
}
