import { useSyncExternalStore } from 'react';

import { telephoneHref } from '#domain/href.ts';
import { logFailure } from '#web/shared/http/log.ts';

interface Phones {
  readonly formatPhone: (phone: string) => string;
  readonly phoneHref: (phone: string) => string | null;
  readonly toE164: (phone: string) => string;
}

const asTyped = (phone: string) => phone;
const AS_TYPED: Phones = { formatPhone: asTyped, phoneHref: telephoneHref, toE164: asTyped };

let phones = AS_TYPED;
let isRequested = false;
const listeners = new Set<() => void>();

/** Writes a phone as its country does; as typed until the library has loaded, or if it fails to. */
export function usePhones(): Phones {
  return useSyncExternalStore(
    subscribe,
    () => phones,
    () => AS_TYPED,
  );
}

export const usePhoneFormat = () => usePhones().formatPhone;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  void load();
  return () => listeners.delete(listener);
}

async function load(): Promise<void> {
  if (isRequested) return;
  isRequested = true;
  try {
    phones = await import('#view/phone-format.ts');
    for (const listener of listeners) listener();
  } catch (cause) {
    isRequested = false;
    logFailure('Phones are shown as typed', cause);
  }
}
