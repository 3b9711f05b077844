import './home.css';
import './my-card.css';

import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';

import { OwnerCardFrame } from './owner-card.tsx';

/** Below the name on a full card. */
const LINES = ['designation', 'company', 'phone', 'email'] as const;

/** `userId` is enough for the QR code. */
export function HomeSkeleton({ userId }: { readonly userId: string }) {
  return (
    <div className="home stack">
      <h1 className="visually-hidden">Dashboard</h1>
      <LoadingStatus>Your dashboard is loading</LoadingStatus>
      <div className="home-greeting">
        <Skeleton width="min(100%, 240px)" className="home-skeleton-greeting" />
        <Skeleton className="home-skeleton-line" width="min(100%, 200px)" />
      </div>
      <div className="my-card stack">
        <div className="my-card-head head row">
          <Skeleton className="home-skeleton-title" width="96px" height="28px" />
        </div>
        <OwnerCardFrame userId={userId}>
          <div className="card-person">
            <Skeleton className="portrait home-skeleton-portrait" />
            <div>
              <Skeleton
                className="home-skeleton-name"
                width="70%"
                height="calc(1.14 * var(--text-28))"
              />
              {LINES.map((line) => (
                <Skeleton
                  key={line}
                  className={`home-skeleton-line home-skeleton-${line}`}
                  width="50%"
                />
              ))}
            </div>
          </div>
        </OwnerCardFrame>
        <div className="my-card-share stack">
          <div className="my-card-actions row">
            <Skeleton className="home-skeleton-action" />
            <Skeleton className="home-skeleton-action" />
            <Skeleton className="home-skeleton-action" />
          </div>
        </div>
      </div>
      <div className="home-side stack">
        <Skeleton height="200px" />
      </div>
    </div>
  );
}
