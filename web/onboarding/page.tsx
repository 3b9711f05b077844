import './onboarding.css';

import { useEffect } from 'react';
import { useNavigate } from 'react-router';

import { forgetProfile, useProfile } from '#web/http/profile.ts';
import { START_FACTS } from '#web/http/start-fact.ts';
import { PATHS } from '#web/paths.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';
import { LoadingNote, Skeleton } from '#web/ui/skeleton.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';

import { Steps } from './steps.tsx';

/** First-time onboarding (specification, section 2). */
export function Page() {
  usePageTitle('Set up your card');
  const state = useProfile();
  const navigate = useNavigate();
  const hasFailed = state.kind === 'failed';
  useEffect(() => {
    if (!hasFailed) return;
    forgetProfile();
    void navigate(PATHS.start, { replace: true, state: START_FACTS.userFetchFailed });
  }, [hasFailed, navigate]);
  return state.kind === 'ready' ? <Steps profile={state.profile} /> : <Coming />;
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
