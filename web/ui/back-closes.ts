import { useEffect, useEffectEvent } from 'react';

/*
 * The browser's back button closes the pop-up that is open. While one is open, an entry of the
 * history is its own; the router never hears of that entry, so nothing navigates.
 */
const MARK = 'popUp';
const open: (() => void)[] = [];
let hasEntry = false;
/** Of each entry its own: one that a reload or the forward button has brought back is nobody's. */
let mark = 0;
let isLeaving = false;

/** Calls `close` when the browser's back button is pressed while the caller is mounted. */
export function useBackCloses(close: () => void): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    const entry = () => closeNow();
    open.push(entry);
    pushEntry();
    return () => {
      open.splice(open.indexOf(entry), 1);
      // One pop-up often opens as another closes; the entry is then handed on.
      setTimeout(settle);
    };
  }, []);
}

function pushEntry(): void {
  // While the last entry is being left, a new one would be lost with it.
  if (hasEntry || isLeaving) return;
  hasEntry = true;
  mark = Math.random();
  history.pushState({ ...(history.state as object | null), [MARK]: mark }, '');
}

/** Makes the history agree with what is open. */
function settle(): void {
  if (open.length > 0) {
    pushEntry();
  } else if (hasEntry) {
    hasEntry = false;
    if (!isMarked()) return;
    isLeaving = true;
    history.back();
  }
}

function isMarked(): boolean {
  return (history.state as Record<string, unknown> | null)?.[MARK] === mark;
}

function onPopState(event: PopStateEvent): void {
  if (!isLeaving && !(hasEntry && !isMarked())) return;
  event.stopImmediatePropagation();
  if (isLeaving) {
    isLeaving = false;
    settle();
  } else {
    hasEntry = false;
    open.at(-1)?.();
  }
}

window.addEventListener('popstate', onPopState, { capture: true });
