import styleUrl from './analytics.css?url';

import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';

/** A file of its own, so that an installation without the view loads nothing of it. */
export function AnalyticsStyle() {
  return <link rel="stylesheet" href={styleUrl} precedence="view" />;
}

export function AnalyticsSkeleton() {
  return (
    <div className="analytics">
      <AnalyticsStyle />
      <header className="analytics-head">
        <h1>Analytics</h1>
        <Skeleton className="analytics-skeleton-periods" />
        <Skeleton className="analytics-skeleton-export" />
      </header>
      <LoadingStatus>Your analytics are loading</LoadingStatus>
      <Skeleton className="analytics-skeleton-lead" />
      <Skeleton className="analytics-skeleton-chart" />
      <div className="analytics-columns">
        <Skeleton className="analytics-skeleton-table" />
        <Skeleton className="analytics-skeleton-table" />
      </div>
    </div>
  );
}
