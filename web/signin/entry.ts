import { loginAction } from '#domain/signin.ts';
import { clearSession, hasMarker, storedId, storedToken } from '#web/http/session.ts';
import { forgetStartFact, readStartFact } from '#web/http/start-fact.ts';
import type { StartFact } from '#web/http/start-fact.ts';

export interface Entry {
  readonly goes: 'to the dashboard' | 'nowhere';
  /** Why the owner was sent here, if something failed elsewhere. */
  readonly fact: StartFact | null;
}

/** Decides once, as the page opens, and uses up what brought the owner here. */
export function enter(historyState: unknown): Entry {
  const fact = readStartFact(historyState);
  const does = loginAction({
    hasId: storedId() !== null,
    hasToken: storedToken() !== null,
    hasMarker: hasMarker(),
    isRedirected: fact !== null,
  });
  if (does === 'clear') clearSession();
  if (fact !== null) forgetStartFact();
  return { goes: does === 'dashboard' ? 'to the dashboard' : 'nowhere', fact };
}
