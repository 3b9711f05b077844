import { useEffect, useEffectEvent } from 'react';

/* An open pop-up has an entry of the history, which the router does not see. */
const ENTRY_ID_KEY = 'popUp';
const closeFunctions: (() => void)[] = [];
let hasEntry = false;
/** An entry of a closed pop-up, or from before a reload, has another id. */
let entryId = 0;
/** `history.back()` has been called and its popstate event has not arrived yet. */
let isGoingBack = false;

/** While the caller is mounted. */
export function useCloseOnBack(close: () => void): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    const closePopup = () => closeNow();
    closeFunctions.push(closePopup);
    pushEntry();
    return () => {
      closeFunctions.splice(closeFunctions.indexOf(closePopup), 1);
      // Deferred: if another pop-up opens in the same update, it reuses the entry.
      setTimeout(syncHistory);
    };
  }, []);
}

function pushEntry(): void {
  // An entry that is pushed before the pending popstate event would be lost.
  if (hasEntry || isGoingBack) return;
  hasEntry = true;
  entryId = Math.random();
  history.pushState({ ...(history.state as object | null), [ENTRY_ID_KEY]: entryId }, '');
}

function syncHistory(): void {
  if (closeFunctions.length > 0) {
    pushEntry();
  } else if (hasEntry) {
    hasEntry = false;
    if (isAtEntry()) leaveEntry();
  }
}

function leaveEntry(): void {
  isGoingBack = true;
  history.back();
}

/** Undefined for an entry of a page. */
function currentEntryId(): unknown {
  return (history.state as Record<string, unknown> | null)?.[ENTRY_ID_KEY];
}

function isAtEntry(): boolean {
  return currentEntryId() === entryId;
}

/** Otherwise the page's back arrow would only return to the same page. */
function leaveStaleEntry(): void {
  if (!hasEntry && !isGoingBack && currentEntryId() !== undefined) leaveEntry();
}

/** The router sees only navigations without a pop-up, and Forward to its entry. */
function onPopState(event: PopStateEvent): void {
  if (!isGoingBack && !hasEntry) {
    leaveStaleEntry();
    return;
  }
  if (!isGoingBack && isAtEntry()) return;
  event.stopImmediatePropagation();
  if (isGoingBack) {
    isGoingBack = false;
    syncHistory();
  } else {
    hasEntry = false;
    closeFunctions.at(-1)?.();
  }
}

// `window` does not exist when the documents are rendered at build time.
if (typeof window !== 'undefined') {
  window.addEventListener('popstate', onPopState, { capture: true });
  leaveStaleEntry();
}
