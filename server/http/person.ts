import type { IncomingHttpHeaders } from 'node:http';

import { isbot } from 'isbot';

/** No browser sends a longer user agent. */
const AGENT_LENGTH_MAX = 512;
/** Browsers send these headers when they prefetch or preview a page. Only old ones send the last two. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

export function isFromPerson({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  const purpose = PURPOSE_HEADERS.map((name) => headers[name]).join();
  const agent = userAgentOf(headers);
  return agent !== '' && !isbot(agent) && !/prefetch|preview/.test(purpose);
}

export function userAgentOf({ 'user-agent': agent = '' }: IncomingHttpHeaders): string {
  return agent.slice(0, AGENT_LENGTH_MAX);
}
