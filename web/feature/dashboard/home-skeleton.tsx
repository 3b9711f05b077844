import './home.css';
import './my-card.css';
import './home-skeleton.css';

import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';

import { OwnerCardFrame } from './owner-card.tsx';

/** Below the name on a full card. */
const LINES = ['designation', 'company', 'phone', 'email'] as const;

interface HomeSkeletonProps {
  /** Enough for the QR code. */
  readonly userId: string;
}

export function HomeSkeleton({ userId }: HomeSkeletonProps) {
  return (
    <div className="home">
      <h1 className="visually-hidden">Dashboard</h1>
      <LoadingStatus>Your dashboard is loading</LoadingStatus>
      <div className="home-greeting">
        <Skeleton className="home-skeleton-greeting" />
        <Skeleton className="home-skeleton-sentence" />
      </div>
      <div className="my-card">
        <div className="my-card-head">
          <Skeleton className="home-skeleton-title" />
        </div>
        <OwnerCardFrame userId={userId}>
          <div className="card-person">
            <Skeleton className="portrait home-skeleton-portrait" />
            <div>
              <Skeleton className="home-skeleton-name" />
              {LINES.map((line) => (
                <Skeleton key={line} className={`home-skeleton-line home-skeleton-${line}`} />
              ))}
            </div>
          </div>
        </OwnerCardFrame>
        <div className="my-card-share">
          <div className="my-card-actions">
            <Skeleton className="home-skeleton-action" />
            <Skeleton className="home-skeleton-action" />
            <Skeleton className="home-skeleton-action" />
          </div>
        </div>
      </div>
      <div className="home-side">
        <Skeleton className="home-skeleton-connections" />
      </div>
    </div>
  );
}
