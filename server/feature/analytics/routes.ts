import { analyticsCalls } from '#contract/analytics.ts';
import { createLocalDay, formatDay } from '#domain/local-time.ts';
import { OPEN_KIND, VISIT_KINDS, extraKinds } from '#domain/visit.ts';
import { createReadRateLimit } from '#server/http/limit.ts';
import type { AppContext } from '#server/context.ts';
import { route } from '#server/http/route.ts';

import { readCounts } from './store.ts';
import { VisitCounter } from './visit-counter.ts';
import { isFromPerson } from '#server/http/person.ts';
import { createVisitorHasher } from './visitor.ts';

export function analyticsRoutes(context: AppContext): void {
  const { database, clock, secret } = context.dependencies;
  const hasher = createVisitorHasher(database, secret);
  const { timeZone, cardExtras } = context.settings;
  const { countVisit, getAnalytics } = analyticsCalls([...VISIT_KINDS, ...extraKinds(cardExtras)]);
  const dayOf = createLocalDay(timeZone);
  const counter = new VisitCounter({ ...context.dependencies, hasher, timeZone });
  // Visits have the same limit as reads of cards, but counters of their own.
  const rateLimit = createReadRateLimit(clock, context.settings.limitReadsPerMinute);
  context.fastify.addHook('onClose', () => counter.close());

  // A log line would link a visitor's IP address to a card and to the control that was used on it.
  const failuresOnlyContext = { ...context, isLoggedOnlyOnFailure: true };
  route(failuresOnlyContext, countVisit, async ({ params: { id, kind }, request }) => {
    rateLimit.countOrThrow(request.client.prefix64);
    if (!isFromPerson(request)) return {};
    const card = { userId: id, day: dayOf(clock.now()) };
    const visitor = kind === OPEN_KIND ? await hasher.hash(request, card) : null;
    counter.add({ ...card, kind }, visitor);
    return {};
  });

  route(context, getAnalytics, async ({ caller: { userId } }) => {
    await counter.flush();
    const today = dayOf(clock.now());
    const days = await readCounts(database, userId, { today, timeZone });
    return { today: formatDay(today), timeZone, days };
  });
}
