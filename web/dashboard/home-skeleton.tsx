import './home-skeleton.css';

import { LoadingStatus, Skeleton } from '#web/ui/loading.tsx';

/** Home while the profile loads. */
export function HomeSkeleton() {
  return (
    <div className="home">
      <LoadingStatus>Your dashboard is loading</LoadingStatus>
      <div className="home-greeting">
        <Skeleton className="home-skeleton-greeting" />
        <Skeleton className="home-skeleton-sentence" />
      </div>
      <div className="my-card">
        <div className="my-card-head">
          <Skeleton className="home-skeleton-title" />
        </div>
        <CardSkeleton />
        <div className="my-card-side">
          <div className="my-card-actions">
            <Skeleton className="home-skeleton-action my-card-share" />
            <Skeleton className="home-skeleton-action" />
            <Skeleton className="home-skeleton-action" />
          </div>
          <Skeleton className="home-skeleton-advertisement" />
        </div>
      </div>
      <Skeleton className="home-skeleton-connections" />
    </div>
  );
}

function CardSkeleton() {
  return (
    <div className="owner-card">
      <Skeleton className="home-skeleton-band" />
      <div className="owner-card-person">
        <Skeleton className="home-skeleton-portrait" />
        <Skeleton className="home-skeleton-name" />
        <Skeleton className="home-skeleton-line" />
        <Skeleton className="home-skeleton-line" />
      </div>
      <Skeleton className="home-skeleton-qr" />
    </div>
  );
}
