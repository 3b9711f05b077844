import { countVisit, getAnalytics } from '#contract/analytics.ts';
import type { AppContext } from '#server/context.ts';
import { ReadRateLimit } from '#server/http/rate-limit.ts';
import { route, routeLoggedOnFailure } from '#server/http/route.ts';

import { dayText, readCounts, startOfDay } from './store.ts';
import { VisitCounter } from './visit-counter.ts';
import { VisitorHasher, isFromPerson } from './visitor.ts';

/** Registers the calls that count visits of cards and list the counts. */
export function analyticsRoutes(context: AppContext): void {
  const { database, clock, secret } = context.dependencies;
  const hasher = new VisitorHasher(database, secret);
  const counter = new VisitCounter({ ...context.dependencies, hasher });
  // As many as an address may read cards, and counted apart from these.
  const rateLimit = new ReadRateLimit(clock, context.settings.limits.readsPerMinute);
  context.fastify.addHook('onClose', () => counter.close());

  // The log would connect the address of a visitor with what was used on which card.
  routeLoggedOnFailure(context, countVisit, async ({ params: { id, kind }, request }) => {
    rateLimit.countOrThrow(request);
    if (!isFromPerson(request)) return {};
    const card = { userId: id, day: startOfDay(clock.now()) };
    const visitor = kind === 'Open' ? await hasher.hash(request, card) : null;
    counter.add({ ...card, kind }, visitor);
    return {};
  });

  route(context, getAnalytics, async ({ caller: { userId } }) => {
    const today = startOfDay(clock.now());
    return { today: dayText(today), days: await readCounts(database, userId, today) };
  });
}
