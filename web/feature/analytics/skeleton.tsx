import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';

export function AnalyticsSkeleton() {
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
        <Skeleton height="200px" />
        <Skeleton height="200px" />
      </div>
    </div>
  );
}
