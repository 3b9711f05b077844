import './analytics.css';

import { useMemo, useState } from 'react';
import type { CSSProperties } from 'react';

import { useQuery } from '@tanstack/react-query';

import { Link } from 'react-router';

import { getAnalytics } from '#contract/analytics.ts';
import { cardPalette } from '#domain/appearance.ts';
import { mixColours } from '#domain/colour.ts';
import { SURFACE } from '#domain/palette.ts';
import { PATHS } from '#domain/path.ts';
import { nothingChosen, useAppearance } from '#web/shared/profile/card.ts';
import { ownerQuery } from '#web/shared/http/query.ts';
import { storedId } from '#web/shared/http/storage.ts';
import { useMediaQuery } from '#web/shared/ui/media-query.ts';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { FailureBox, NoteBox } from '#web/shared/ui/note-box.tsx';

import { DayTable } from './each-day.tsx';
import { lastDays, toCsv } from './numbers.ts';
import type { Analytics } from './numbers.ts';
import { Report } from './report.tsx';

const PERIODS_DAYS = [7, 30, 90] as const;
const DEFAULT_PERIOD_DAYS = 30;
/** The share of the deep tone. The bars have 3:1 against the panel (WCAG 1.4.11). */
const OPENED_SHARE = 0.6;

/** docs/product.md#analytics-view. */
export function Page() {
  const { data, isPending, refetch } = useQuery(ownerQuery(getAnalytics));
  if (isPending) return <AnalyticsSkeleton />;
  if (data) return <Periods analytics={data.body} />;
  return (
    <div className="analytics stack">
      <header className="analytics-head row">
        <h1>Analytics</h1>
      </header>
      <FailureBox
        sentence="Your analytics could not be loaded. Check your network."
        offline="Your analytics need a network. They appear when you are online again."
        onRetry={() => void refetch()}
      />
    </div>
  );
}

function Periods({ analytics }: { readonly analytics: Analytics }) {
  const [period, setPeriod] = useState<number>(DEFAULT_PERIOD_DAYS);
  const [allDays] = useState(() => lastDays(analytics, Math.max(...PERIODS_DAYS)));
  // The chart is made again with other days.
  const days = useMemo(() => allDays.slice(-period), [allDays, period]);
  const colours = useBarColours();
  return (
    <div className="analytics stack" style={colours as CSSProperties}>
      <header className="analytics-head row">
        <h1>Analytics</h1>
        <fieldset className="analytics-periods choices row">
          <legend className="visually-hidden">Period</legend>
          {PERIODS_DAYS.map((length) => (
            <button
              key={length}
              type="button"
              aria-pressed={length === period}
              onClick={() => setPeriod(length)}
            >
              {length} days
            </button>
          ))}
        </fieldset>
        <a
          className="ui-button ui-button-outlined analytics-export"
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(toCsv(days))}`}
          download={`analytics-${period}-days.csv`}
        >
          Export CSV
        </a>
      </header>
      {analytics.days.length > 0 ? (
        <Report days={days} timeZone={analytics.timeZone} colour={colours['--analytics-unique']} />
      ) : (
        <>
          <NoteBox icon="analytics" title="Nobody has opened your card yet.">
            <p>
              Share your card, and each visit is counted here. Your own visits in this browser, and
              robots, are never counted.
            </p>
            <Link className="ui-button ui-button-main" to={PATHS.dashboard}>
              Share your card
            </Link>
          </NoteBox>
          <DayTable days={days} />
        </>
      )}
    </div>
  );
}

function useBarColours() {
  const scheme = useMediaQuery('(prefers-color-scheme: dark)') ? 'dark' : 'light';
  const appearance = useAppearance() ?? nothingChosen();
  const deep = cardPalette(storedId() ?? '', appearance).deep[scheme];
  return {
    '--analytics-unique': deep,
    '--analytics-opened': mixColours(deep, SURFACE[scheme], OPENED_SHARE),
  };
}

function AnalyticsSkeleton() {
  return (
    <div className="analytics stack">
      <header className="analytics-head row">
        <h1>Analytics</h1>
        <Skeleton className="analytics-periods" height="50px" />
        <Skeleton width="130px" height="var(--button-height)" />
      </header>
      <LoadingStatus>Your analytics are loading</LoadingStatus>
      <Skeleton
        width="min(100%, 340px)"
        height="calc(1.3 * var(--text-21) + 1.5 * var(--text-15))"
      />
      {/* The legend, two notes, the chart and the space around them. */}
      <Skeleton height="calc(6.85rem + 314px)" />
      <div className="analytics-columns stack">
        <Skeleton height="200px" count={2} />
      </div>
    </div>
  );
}
