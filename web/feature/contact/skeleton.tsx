import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';

const ROWS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;

export function ContactsSkeleton() {
  return (
    <div className="contacts">
      <header className="contacts-head">
        <h1>Contacts</h1>
        <p className="contacts-count" />
        <div className="contacts-export">
          <Skeleton className="contacts-skeleton-export" />
        </div>
      </header>
      <div className="contacts-columns">
        <div>
          <Skeleton className="contacts-skeleton-search" />
          <ListSkeleton />
        </div>
      </div>
    </div>
  );
}

export function ListSkeleton() {
  return (
    <div>
      <LoadingStatus>Your contacts are loading</LoadingStatus>
      {ROWS.map((row) => (
        <Skeleton key={row} className="contacts-skeleton-row" />
      ))}
    </div>
  );
}
