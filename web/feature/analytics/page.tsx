import './analytics.css';

import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { getAnalytics } from '#contract/analytics.ts';
import { MINUTE_MS } from '#domain/duration.ts';
import { PATHS } from '#domain/path.ts';
import { useCardLook } from '#web/shared/profile/card.ts';
import { ownerQuery } from '#web/shared/http/query.ts';
import { storedId } from '#web/shared/http/storage.ts';
import { Skeleton } from '#web/shared/ui/loading.tsx';
import { LoadState, NoteBox } from '#web/shared/ui/note-box.tsx';

import { DayTable } from './each-day.tsx';
import { lastDays, toCsv } from './numbers.ts';
import { Report } from './report.tsx';

const PERIODS_DAYS = [7, 30, 90] as const;
const DEFAULT_PERIOD_DAYS = 30;
/** A page that stays open follows a new day. */
const RELOAD_MS = 10 * MINUTE_MS;

/** docs/develop/product.md#analytics-view. */
export function Page() {
  const query = useQuery({ ...ownerQuery(getAnalytics), refetchInterval: RELOAD_MS });
  const [periodDays, setPeriodDays] = useState<number>(DEFAULT_PERIOD_DAYS);
  const analytics = query.data?.body;
  const days = analytics && lastDays(analytics, periodDays);
  // The panels have the accent of the card.
  useCardLook({ _id: storedId() ?? '' });
  const isLoading = !analytics && !query.isFetched;
  return (
    <div className="analytics stack">
      <header className="analytics-head row">
        <h1>Analytics</h1>
        {isLoading && (
          <>
            <Skeleton className="analytics-periods" height="50px" />
            <Skeleton width="130px" height="var(--button-height)" />
          </>
        )}
        {days && (
          <>
            <Periods chosenDays={periodDays} onChoose={setPeriodDays} />
            <a
              className="ui-button ui-button-outlined analytics-export"
              href={`data:text/csv;charset=utf-8,${encodeURIComponent(toCsv(days))}`}
              download={`analytics-${periodDays}-days.csv`}
            >
              Export CSV
            </a>
          </>
        )}
      </header>
      <LoadState
        query={query}
        loading="Your analytics are loading"
        sentence="We couldn't load your analytics. Check your network."
        offline="Your analytics need a network. You'll see them when you're back online."
      />
      {isLoading && <ReportSkeleton />}
      {days && analytics.days.length > 0 && <Report days={days} timeZone={analytics.timeZone} />}
      {days && analytics.days.length === 0 && (
        <>
          <NoteBox icon="analytics" title="Nobody has opened your card yet.">
            <p>
              Share your card, and you'll see each visit here. Your own visits in this browser don't
              count, and neither do robots.
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

interface PeriodsProps {
  readonly chosenDays: number;
  readonly onChoose: (days: number) => void;
}

function Periods({ chosenDays, onChoose }: PeriodsProps) {
  return (
    <fieldset className="analytics-periods choices row">
      <legend className="visually-hidden">Period</legend>
      {PERIODS_DAYS.map((days) => (
        <button
          key={days}
          type="button"
          aria-pressed={days === chosenDays}
          onClick={() => onChoose(days)}
        >
          {days} days
        </button>
      ))}
    </fieldset>
  );
}

function ReportSkeleton() {
  return (
    <>
      <Skeleton
        width="min(100%, 340px)"
        height="calc(1.3 * var(--text-21) + 1.5 * var(--text-15))"
      />
      {/* This height adds up the legend, two notes, the chart and the space around them. */}
      <Skeleton height="calc(6.85rem + 302px)" />
      <div className="analytics-columns stack">
        <Skeleton height="200px" count={2} />
      </div>
    </>
  );
}
