import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';

export function AnalyticsSkeleton() {
  return (
    <div className="analytics">
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
