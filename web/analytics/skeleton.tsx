import { LoadingStatus } from '#web/ui/loading.tsx';

/** The Analytics view while it loads. */
export function AnalyticsSkeleton() {
  return (
    <div>
      <h1>Analytics</h1>
      <LoadingStatus>Your analytics are loading</LoadingStatus>
    </div>
  );
}
