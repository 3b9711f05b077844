import { useEffect, useEffectEvent } from 'react';

import { storedId } from '#web/shared/http/session.ts';
import { confirm } from '#web/shared/ui/alert.ts';

let current: ((nextPath: string) => boolean) | null = null;

/** It may show a confirmation. */
export function mayLeave(nextPath: string): boolean {
  return current?.(nextPath) ?? true;
}

interface UnsavedGuard {
  readonly path: string;
  readonly hasUnsaved: boolean;
  readonly question: string;
  /** Another page needs no confirmation, but the end of the tab does. */
  readonly isSavedOnLeave?: boolean;
  /** Called when the page is left without saving. */
  readonly onDiscard?: () => void;
}

/** Also before its tab is closed. */
export function useUnsavedGuard(guard: UnsavedGuard): void {
  const { path, hasUnsaved, question, isSavedOnLeave = false, onDiscard } = guard;
  const check = useEffectEvent((nextPath: string) => {
    // Without an id the session has ended.
    const mayLose = hasUnsaved && !isSavedOnLeave;
    if (nextPath === path || !mayLose || storedId() === null) return true;
    const isConfirmed = confirm(question);
    if (isConfirmed) onDiscard?.();
    return isConfirmed;
  });
  useEffect(() => {
    current = (nextPath) => check(nextPath);
    return () => {
      current = null;
    };
  }, []);
  useEffect(() => {
    if (!hasUnsaved) return undefined;
    const warn = (event: BeforeUnloadEvent) => {
      if (storedId() !== null) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [hasUnsaved]);
}
