import * as z from 'zod/mini';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { EXTRAS } from '#domain/extras.ts';
import { mapNames } from '#domain/record.ts';
import { UNIQUE_KIND, VISIT_DAYS_MAX, VISIT_KINDS, extraKinds } from '#domain/visit.ts';

import { endpoint, ownerCall, replyText, userParams } from './endpoint.ts';

const COUNT_PATH = BROWSER_STORAGE.sessionStorage.counted;

export function countVisitPath(userId: string): string {
  return `${COUNT_PATH}${userId}/`;
}

const dayCounts = (kinds: readonly string[]) =>
  z.object({
    day: replyText,
    timeZone: replyText,
    /** Kinds without a visit are absent. 'Unique' counts different visitors. */
    counts: z._default(
      // An object ignores kinds that this version does not know; a record would reject them.
      z.object(mapNames(kinds, () => z.optional(z.number()))),
      {},
    ),
  });

export function analyticsCalls(kinds: readonly string[]) {
  return {
    countVisit: endpoint({
      method: 'POST',
      path: `${COUNT_PATH}:id/:kind`,
      access: 'open',
      summary: 'Count a visit of a card, or the use of a control on it; there is no body',
      params: z.extend(userParams, { kind: z.enum(kinds, 'is not a kind of visit') }),
      reply: z.object({}),
    }),
    getAnalytics: ownerCall({
      method: 'GET',
      path: '/profile/getAnalytics/:id',
      summary: `The visits of a card on each of the last ${VISIT_DAYS_MAX} days that had any, in order`,
      reply: z.object({
        today: replyText,
        /** An IANA name. A node of an earlier version counts in UTC and sends ''. */
        timeZone: replyText,
        days: z._default(z.array(dayCounts([...kinds, UNIQUE_KIND])), []),
      }),
    }),
  };
}

export const { countVisit, getAnalytics } = analyticsCalls([...VISIT_KINDS, ...extraKinds(EXTRAS)]);
