import '#view/card.css';
import './appearance.css';

import { PATHS } from '#domain/path.ts';
import { useAppearance } from '#web/shared/profile/card.ts';
import { useOwner } from '#web/shared/profile/profile.ts';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { PageFrame } from '#web/shared/ui/page-frame.tsx';

import { Choices } from './choices.tsx';

/** docs/product.md#appearance. */
export function Page() {
  const profile = useOwner();
  const appearance = useAppearance();
  return (
    <PageFrame title="Appearance" backPath={PATHS.edit}>
      <div className="appearance stack">
        {profile && appearance ? (
          <Choices profile={profile} appearance={appearance} />
        ) : (
          <>
            <LoadingStatus>The appearance is loading</LoadingStatus>
            <Skeleton width="100%" height="min(62.5vw - 20px, 380px)" />
            <Skeleton width="100%" height="320px" />
          </>
        )}
      </div>
    </PageFrame>
  );
}
