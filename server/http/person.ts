import type { IncomingHttpHeaders } from 'node:http';

import { isbot } from 'isbot';

/** Longer than the user agent of any browser. */
const AGENT_LENGTH_MAX = 512;
/** Headers of browsers that prefetch or preview a page; the last two are of old ones. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

export function isFromPerson({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  const purpose = PURPOSE_HEADERS.map((name) => headers[name]).join();
  const agent = agentOf(headers);
  return agent !== '' && !isbot(agent) && !/prefetch|preview/.test(purpose);
}

export function agentOf({ 'user-agent': agent = '' }: IncomingHttpHeaders): string {
  return agent.slice(0, AGENT_LENGTH_MAX);
}
