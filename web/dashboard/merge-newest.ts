import type { Contact } from '#contract/contact.ts';

interface Merged {
  readonly contacts: readonly Contact[];
  /** Whether contacts between the two lists are missing; `contacts` is then `newest` alone. */
  readonly hasGap: boolean;
}

/** Adds the newest contacts to those that are shown, newest first. Returns `shown` if none is new. */
export function mergeNewest(shown: readonly Contact[], newest: readonly Contact[]): Merged {
  const known = new Set(shown.map(({ _id }) => _id));
  const arrived = newest.filter(({ _id }) => !known.has(_id));
  if (arrived.length === 0) return { contacts: shown, hasGap: false };
  const hasGap = shown.length > 0 && arrived.length === newest.length;
  return hasGap ? { contacts: newest, hasGap } : { contacts: [...arrived, ...shown], hasGap };
}
