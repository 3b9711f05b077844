import './home-coming.css';

import { LoadingNote, Skeleton } from '#web/ui/skeleton.tsx';

/** Home before the profile is there, in the shape of what comes. */
export function HomeComing() {
  return (
    <div className="home">
      <LoadingNote>Your dashboard is loading</LoadingNote>
      <div className="home-greeting">
        <Skeleton shape="home-coming-greeting" />
        <Skeleton shape="home-coming-sentence" />
      </div>
      <div className="my-card">
        <div className="my-card-head">
          <Skeleton shape="home-coming-title" />
        </div>
        <CardComing />
        <div className="my-card-side">
          <div className="my-card-actions">
            <Skeleton shape="home-coming-action my-card-share" />
            <Skeleton shape="home-coming-action" />
            <Skeleton shape="home-coming-action" />
          </div>
          <Skeleton shape="home-coming-advertisement" />
        </div>
      </div>
      <Skeleton shape="home-coming-connections" />
    </div>
  );
}

function CardComing() {
  return (
    <div className="owner-card">
      <Skeleton shape="home-coming-band" />
      <div className="owner-card-person">
        <Skeleton shape="home-coming-portrait" />
        <Skeleton shape="home-coming-name" />
        <Skeleton shape="home-coming-line" />
        <Skeleton shape="home-coming-line" />
      </div>
      <Skeleton shape="home-coming-code" />
    </div>
  );
}
