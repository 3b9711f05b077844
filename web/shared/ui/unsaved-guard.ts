import { useCallback, useEffect, useEffectEvent } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';

import { storedId } from '#web/shared/http/storage.ts';

import { confirm } from '#web/shared/http/report.ts';

interface UnsavedGuard {
  readonly path: string;
  readonly hasUnsaved: boolean;
  readonly question?: string;
  /** Another page needs no confirmation, but the end of the tab does. */
  readonly isSavedOnLeave?: boolean;
  /** It is on this device, so that the end of the tab needs no confirmation. */
  readonly isKept?: boolean;
  /** Called when the page is left without saving. */
  readonly onDiscard?: () => void;
}

const QUESTION = 'Leave without saving? What you changed will be lost.';

/** Asks before the tab is closed too, unless it is kept. */
export function useUnsavedGuard(guard: UnsavedGuard): void {
  const { path, hasUnsaved, question = QUESTION, onDiscard } = guard;
  const { isSavedOnLeave = false, isKept = false } = guard;
  const blocker = useBlocker(
    ({ nextLocation }) =>
      // Without an id the session has ended.
      hasUnsaved && !isSavedOnLeave && nextLocation.pathname !== path && storedId() !== null,
  );
  const decide = useEffectEvent(() => {
    if (blocker.state !== 'blocked') return;
    if (confirm(question)) {
      onDiscard?.();
      blocker.proceed();
    } else blocker.reset();
  });
  const isBlocked = blocker.state === 'blocked';
  useEffect(() => {
    if (isBlocked) decide();
  }, [isBlocked]);
  useBeforeUnload(
    useCallback(
      (event) => {
        if (hasUnsaved && !isKept && storedId() !== null) event.preventDefault();
      },
      [hasUnsaved, isKept],
    ),
  );
}
