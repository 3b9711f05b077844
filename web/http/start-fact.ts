/**
 * Facts that travel to the start page in the history's state, so that it shows the widget instead
 * of leading back to a dashboard that would fail again (decisions, "Screens").
 */
export const START_FACTS = {
  userFetchFailed: { startFact: 'userFetchFailed' },
  sessionEnded: { startFact: 'sessionEnded' },
} as const;

export type StartFact = keyof typeof START_FACTS;

/** The fact in a history entry's state, or null. */
export function readStartFact(state: unknown): StartFact | null {
  const fact = (state as { readonly startFact?: unknown } | null)?.startFact;
  return fact === 'userFetchFailed' || fact === 'sessionEnded' ? fact : null;
}

/** Takes the fact out of the current entry: the next full load decides anew. */
export function forgetStartFact(): void {
  history.replaceState({ ...(history.state as object | null), usr: null }, '');
}

/** Loads the start page anew with a fact. The router keeps an entry's state under `usr`. */
export function reloadAtStart(path: string, fact: StartFact): void {
  const state = { ...(history.state as object | null), usr: START_FACTS[fact] };
  history.replaceState(state, '', path);
  location.reload();
}
