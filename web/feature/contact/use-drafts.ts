import { useState } from 'react';

import { PATHS } from '#domain/path.ts';
import { cleanInput } from '#domain/text.ts';
import { useUnsavedGuard } from '#web/shared/ui/unsaved-guard.ts';

const QUESTION = 'Leave without saving? A private note is not saved.';

interface Draft {
  readonly note: string;
  /** The last attempt to save it. */
  readonly hasFailed: boolean;
}

type DraftMap = ReadonlyMap<string, Draft>;

/** A save may end after the view was left. */
let kept: DraftMap = new Map();

/** Notes that are not saved, by contact. After a failed save, leaving the page needs a confirmation. */
export function useDrafts() {
  const [drafts, setDrafts] = useState(kept);
  const hasFailed = [...drafts.values()].some((draft) => draft.hasFailed);
  useUnsavedGuard({
    path: PATHS.contacts,
    hasUnsaved: drafts.size > 0,
    isSavedOnLeave: !hasFailed,
    question: QUESTION,
  });
  const update = (change: (before: DraftMap) => DraftMap) => {
    kept = change(kept);
    setDrafts(kept);
  };
  return {
    get: (id: string) => drafts.get(id),
    set: (id: string, note: string) =>
      update((before) => new Map([...before, [id, { note, hasFailed: false }]])),
    fail: (id: string) =>
      update((before) => {
        const draft = before.get(id);
        return draft ? new Map([...before, [id, { ...draft, hasFailed: true }]]) : before;
      }),
    /** `sent` is what was saved; undefined removes every text. */
    remove: (id: string, sent?: string) => update((before) => withoutSent(before, id, sent)),
  };
}

export type Drafts = ReturnType<typeof useDrafts>;

/** Stays if it was changed since. */
export function withoutSent(drafts: DraftMap, id: string, sent?: string): DraftMap {
  const note = drafts.get(id)?.note;
  if (note === undefined) return drafts;
  if (sent !== undefined && cleanInput(note) !== sent) return drafts;
  return new Map([...drafts].filter(([one]) => one !== id));
}
