/** What the login page finds when it opens. */
export interface EntryFacts {
  readonly hasId: boolean;
  readonly hasToken: boolean;
  /** The marker that is set with id and token. */
  readonly hasMarker: boolean;
  /** Whether another page has just failed and sent the owner here. */
  readonly isSentHere: boolean;
}

/**
 * What the login page does (specification, section 2; decisions, "Names" and "Screens"): lead to
 * the dashboard, clear a storage that was half cleared and show the widget, or show the widget.
 */
export function loginEntry(facts: EntryFacts): 'dashboard' | 'clear' | 'widget' {
  const hasSession = facts.hasId && facts.hasToken;
  if (hasSession) return facts.isSentHere ? 'widget' : 'dashboard';
  return facts.hasMarker ? 'clear' : 'widget';
}
