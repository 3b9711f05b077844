import { EXTRAS } from '#domain/extras.ts';
import type { Extra } from '#domain/extras.ts';

/** What was typed in 'More on your card' and is not saved yet. */
export type ExtrasDraft = Readonly<Partial<Record<Extra, string>>>;

const draftKey = (userId: string) => `extras-${userId}`;

/** Session storage lasts as long as the tab, also while a third party's widget has a document of its own. */
export function storeExtrasDraft(userId: string, draft: ExtrasDraft): void {
  if (Object.keys(draft).length === 0) sessionStorage.removeItem(draftKey(userId));
  else sessionStorage.setItem(draftKey(userId), JSON.stringify(draft));
}

/** Validated, since anything can write to a browser's storage. */
export function storedExtrasDraft(userId: string): ExtrasDraft {
  try {
    const stored = JSON.parse(sessionStorage.getItem(draftKey(userId)) ?? '{}') as ExtrasDraft;
    const typed = EXTRAS.filter((extra) => typeof stored[extra] === 'string');
    return Object.fromEntries(typed.map((extra) => [extra, stored[extra]]));
  } catch {
    return {};
  }
}
