import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';

const ROWS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;

export function ContactsSkeleton() {
  return (
    <div className="contacts-columns">
      <div>
        <Skeleton className="contacts-skeleton-search" height="48px" />
        <ListSkeleton />
      </div>
    </div>
  );
}

export function ListSkeleton() {
  return (
    <div className="stack">
      <LoadingStatus>Your contacts are loading</LoadingStatus>
      {ROWS.map((row) => (
        <Skeleton key={row} height="68px" />
      ))}
    </div>
  );
}
