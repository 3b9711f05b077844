import { useEffect, useState } from 'react';

import { useLeaveGuard } from '#web/navigation/leave-guard.ts';
import { confirm } from '#web/ui/alert.ts';

const QUESTION = 'Leave without saving? A private note is not saved.';

/** The notes that are typed and not saved, by contact. Leaving the page needs a confirmation meanwhile. */
export function useDrafts() {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, string>>(new Map());
  const hasDrafts = drafts.size > 0;
  useLeaveGuard(() => !hasDrafts || confirm(QUESTION));
  useEffect(() => {
    if (!hasDrafts) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [hasDrafts]);
  const set = (id: string, note: string | undefined) =>
    setDrafts((before) => {
      const next = new Map(before);
      if (note === undefined) next.delete(id);
      else next.set(id, note);
      return next;
    });
  return { get: (id: string) => drafts.get(id), set };
}
