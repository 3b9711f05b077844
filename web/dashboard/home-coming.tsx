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
        <Skeleton shape="home-coming-card" />
        <Skeleton shape="home-coming-actions" />
      </div>
      <Skeleton shape="home-coming-connections" />
    </div>
  );
}
