import { useState } from 'react';

import { PATHS } from '#domain/path.ts';
import { useUnsavedGuard } from '#web/navigation/leave-guard.ts';

const QUESTION = 'Leave without saving? A private note is not saved.';

type Drafts = ReadonlyMap<string, string>;

/** Notes that are not saved, by contact. With one, leaving the page needs a confirmation. */
export function useDrafts() {
  const [drafts, setDrafts] = useState<Drafts>(new Map());
  useUnsavedGuard({ path: PATHS.contacts, hasUnsaved: drafts.size > 0, question: QUESTION });
  const set = (id: string, note: string | undefined) =>
    setDrafts((before) => {
      const next = new Map(before);
      if (note === undefined) next.delete(id);
      else next.set(id, note);
      return next;
    });
  const removeSent = (id: string, sent: string) =>
    setDrafts((before) => withoutSent(before, id, sent));
  return { get: (id: string) => drafts.get(id), set, removeSent };
}

/** Stays if it was changed since. */
export function withoutSent(drafts: Drafts, id: string, sent: string): Drafts {
  if (drafts.get(id) !== sent) return drafts;
  return new Map([...drafts].filter(([one]) => one !== id));
}
