import { DAY_MS } from '#domain/duration.ts';
import { UNIQUE_KIND, VISIT_DAYS_MAX, VISIT_KINDS } from '#domain/visit.ts';

import { failed, failing, loading, openAsOwner } from './open-screen.ts';
import type { OpenScreen, Screens } from './open-screen.ts';

const PATH = '/dashboard/analytics';
const CALLS = '**/api/profile/getAnalytics/*';
const TODAY = '2026-01-15';

/** A screen as if the operator had set the view. */
const withView =
  (open: OpenScreen): OpenScreen =>
  async (page, seed) => {
    await page.route(`**${PATH}`, async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      await route.fulfill({ response, body: html.replace('"views":[]', '"views":["analytics"]') });
    });
    await open(page, seed);
  };

/** Answers the call with counts that differ from day to day; the first kind has the largest. */
const withCounts = (days: number, first: number) =>
  withView(async (page, seed) => {
    const reply = {
      today: TODAY,
      days: Array.from({ length: days }, (_, at) => {
        const wave = 1 + Math.sin(at / 3) / 2 + Math.sin(at * 2.4) / 4;
        const count = (rank: number) => Math.round((first * wave) / (rank + 1) ** 1.3);
        const counts = Object.fromEntries(VISIT_KINDS.map((kind, rank) => [kind, count(rank)]));
        return {
          day: new Date(Date.parse(TODAY) - at * DAY_MS).toISOString().slice(0, TODAY.length),
          counts: { ...counts, [UNIQUE_KIND]: Math.round(count(0) * 0.7) },
        };
      }),
    };
    await page.route(CALLS, (route) => route.fulfill({ json: reply }));
    // The chart, or the note in its place.
    const ready = '.analytics-chart canvas, .analytics .note-box';
    await openAsOwner('full', PATH, (opened) => opened.locator(ready).waitFor())(page, seed);
  });

const FAILED = failed(['full', PATH, CALLS, '.analytics .note-box']);

export const ANALYTICS_SCREENS: Screens = {
  analytics: withCounts(VISIT_DAYS_MAX, 31_000),
  'analytics-empty': withCounts(0, 0),
  'analytics-loading': withView(loading(['full', PATH, CALLS, '.analytics .skeleton'])),
  'analytics-failed': failing(withView(FAILED.open)),
};
