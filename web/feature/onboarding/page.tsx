import './onboarding.css';

import type { ProfileChange } from '#domain/profile.ts';
import { storedId } from '#web/shared/http/storage.ts';
import { useStoredDraft } from '#web/shared/profile/draft.ts';
import { useOwner } from '#web/shared/profile/profile.ts';
import { IconButton } from '#web/shared/ui/button.tsx';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { Wordmark } from '#web/shared/ui/page-frame.tsx';

import { Steps } from './steps.tsx';

/** docs/product.md#onboarding. */
export function Page() {
  const profile = useOwner();
  const draft = useStoredDraft<ProfileChange>('onboarding', storedId() ?? '');
  return profile && draft ? (
    <Steps profile={profile} stored={draft.value} />
  ) : (
    <OnboardingSkeleton />
  );
}

function OnboardingSkeleton() {
  return (
    <div className="onboarding">
      <div className="onboarding-form">
        <header className="onboarding-head row">
          <IconButton name="Back" icon="back" className="back muted" />
          <Wordmark />
        </header>
        <main className="onboarding-main onboarding-skeleton stack">
          <h1 className="visually-hidden">Set up your card</h1>
          <LoadingStatus>Your card is loading</LoadingStatus>
          <Skeleton height="28px" />
          <Skeleton width="60%" height="64px" />
          <Skeleton height="48px" />
          <Skeleton height="48px" />
        </main>
      </div>
      <Skeleton className="preview onboarding-skeleton-preview" />
    </div>
  );
}
