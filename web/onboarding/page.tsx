import './onboarding.css';

import { useOwner } from '#web/http/owner.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';
import { LoadingNote, Skeleton } from '#web/ui/skeleton.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';

import { Steps } from './steps.tsx';

/** First-time onboarding (specification, section 2). */
export function Page() {
  usePageTitle('Set up your card');
  const profile = useOwner();
  return profile ? <Steps profile={profile} /> : <Coming />;
}

function Coming() {
  return (
    <div className="onboarding">
      <div className="onboarding-form">
        <header className="onboarding-head">
          <IconButton name="Back" glyph="back" className="onboarding-back-end" />
          <Wordmark />
        </header>
        <main className="onboarding-main onboarding-coming">
          <LoadingNote>Your card is loading</LoadingNote>
          <Skeleton shape="onboarding-coming-progress" />
          <Skeleton shape="onboarding-coming-title" />
          <Skeleton shape="onboarding-coming-field" />
          <Skeleton shape="onboarding-coming-field" />
        </main>
      </div>
      <Skeleton shape="preview onboarding-coming-preview" />
    </div>
  );
}
