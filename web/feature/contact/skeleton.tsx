import contactStyle from './contact-detail.css?url';
import listStyle from './contact-list.css?url';
import rowStyle from './contact-row.css?url';

import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';

const ROWS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;

/** Files of their own, so that an installation without the view loads nothing of it. */
export function ContactsStyle() {
  return [listStyle, rowStyle, contactStyle].map((url) => (
    <link key={url} rel="stylesheet" href={url} precedence="view" />
  ));
}

export function ContactsSkeleton() {
  return (
    <div className="contacts">
      <ContactsStyle />
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
