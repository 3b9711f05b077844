import { LoadingNote, Skeleton } from '#web/ui/skeleton.tsx';

/** Home before the profile is there, in the shape of what comes. */
export function HomeComing() {
  return (
    <div className="home">
      <LoadingNote>Your dashboard is loading</LoadingNote>
      <div className="home-greeting">
        <Skeleton shape="home-coming-greeting" />
      </div>
      <div className="my-card">
        <div className="my-card-head">
          <Skeleton shape="home-coming-title" />
        </div>
        <Skeleton shape="home-coming-card" />
        <div className="my-card-side">
          <Skeleton shape="home-coming-actions" />
        </div>
      </div>
      <Skeleton shape="home-coming-connections" />
    </div>
  );
}
