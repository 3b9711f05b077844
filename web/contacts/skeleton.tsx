import { LoadingStatus } from '#web/ui/loading.tsx';

/** The Contacts view while it loads. */
export function ContactsSkeleton() {
  return (
    <div>
      <h1>Contacts</h1>
      <LoadingStatus>Your contacts are loading</LoadingStatus>
    </div>
  );
}
