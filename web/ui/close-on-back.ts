import { useEffect, useEffectEvent } from 'react';

/*
 * The browser's back button closes the open pop-up. While a pop-up is open, the history has one
 * additional entry for it. The router does not see that entry, so nothing navigates.
 */
const ENTRY_ID_KEY = 'popUp';
const closeFunctions: (() => void)[] = [];
let hasEntry = false;
/** Identifies the current entry. An entry of a closed pop-up, or from before a reload, has another id. */
let entryId = 0;
/** Whether `history.back()` has been called and its popstate event has not arrived yet. */
let isGoingBack = false;

/** Calls `close` when the browser's back button is pressed while the caller is mounted. */
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

/** Adds or removes the entry, depending on whether a pop-up is open. */
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

/** The id of the current history entry; undefined for an entry of a page. */
function currentEntryId(): unknown {
  return (history.state as Record<string, unknown> | null)?.[ENTRY_ID_KEY];
}

function isAtEntry(): boolean {
  return currentEntryId() === entryId;
}

/**
 * Leaves an entry whose pop-up is not open, after a reload or the browser's forward button. On such
 * an entry the page's back arrow would only return to the same page.
 */
function leaveStaleEntry(): void {
  if (!hasEntry && !isGoingBack && currentEntryId() !== undefined) leaveEntry();
}

/**
 * Four cases: a navigation without an open pop-up, which the router handles; Forward to the entry of the
 * open pop-up, which needs no action; the end of `leaveEntry`; and Back, which closes the pop-up. The
 * last two are hidden from the router.
 */
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
