import './onboarding.css';
import '#web/shared/ui/draft-card.css';
import './preview.css';

import { BACKGROUND_GRID } from '#domain/mosaic.ts';
import { ONBOARDING_STEPS } from '#domain/onboarding.ts';
import type { ProfileChange, Profile } from '#domain/profile.ts';
import { Wordmark } from '#view/document.tsx';
import { Mosaic } from '#view/mosaic.tsx';
import { settings } from '#web/shared/http/settings.ts';
import { storedId } from '#web/shared/http/storage.ts';
import { PhotoPanel } from '#web/shared/photo/photo-editor.tsx';
import { useCardLook } from '#web/shared/profile/card.ts';
import { useStoredDraft } from '#web/shared/profile/draft.ts';
import { useOwner } from '#web/shared/profile/profile.ts';
import { IconButton } from '#web/shared/ui/button.tsx';
import { DraftCard } from '#web/shared/ui/draft-card.tsx';
import { LoadingStatus, Skeleton, LoadingScreen } from '#web/shared/ui/loading.tsx';

import { CompanyStep, PersonalStep, SocialsStep } from './forms.tsx';
import { useOnboarding, useSteps } from './use-onboarding.ts';

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
          <Wordmark productName={settings().productName} />
        </header>
        <main className="onboarding-main onboarding-skeleton stack">
          <h1 className="visually-hidden">Set up your card</h1>
          <LoadingStatus>Your card is loading</LoadingStatus>
          <Skeleton height="28px" />
          <Skeleton width="60%" height="64px" />
          <Skeleton height="48px" count={2} />
        </main>
      </div>
      <Skeleton className="preview onboarding-skeleton-preview" />
    </div>
  );
}

const STEPS = [PersonalStep, CompanyStep, SocialsStep] as const;

interface StepsProps {
  readonly profile: Profile;
  readonly stored: ProfileChange | null;
}

function Steps({ profile, stored }: StepsProps) {
  const { step, focused, goToNext, goToField, goToPrevious } = useSteps();
  const { card, isSaving, save, ...form } = useOnboarding(profile, stored, step);
  const Step = STEPS[step] ?? PersonalStep;

  return (
    <div className="onboarding">
      <div className="onboarding-form">
        <header className="onboarding-head row">
          <IconButton
            name="Back"
            icon="back"
            className={step === 0 ? 'back muted' : 'back'}
            onClick={goToPrevious}
          />
          <Wordmark productName={settings().productName} />
        </header>
        <main className="onboarding-main">
          <nav aria-label="Steps" className="breadcrumb">
            <ol className="row">
              {ONBOARDING_STEPS.map((name, index) => (
                <li
                  key={name}
                  className={`breadcrumb-step note ${index <= step ? 'breadcrumb-reached' : ''}`}
                  aria-current={index === step ? 'step' : undefined}
                >
                  {index > 0 && ' > '}
                  <span>{name}</span>
                </li>
              ))}
            </ol>
          </nav>
          <Step
            key={step}
            {...form}
            card={card}
            focused={focused}
            onCorrect={goToField}
            saved={profile}
            onNext={step === STEPS.length - 1 ? save : goToNext}
          />
        </main>
      </div>
      <Preview profile={card} step={step} />
      {isSaving && <LoadingScreen message="Setting up your Digital Business Card" />}
    </div>
  );
}

interface PreviewProps {
  readonly profile: Profile;
  /** The number of the step; the part of the card that this step changes is marked. */
  readonly step: number;
}

/** The card so far, beside the form; on a phone it is a strip at the top. */
function Preview({ profile, step }: PreviewProps) {
  const { palette, logo } = useCardLook(profile);
  const portrait = <PhotoPanel profile={profile} palette={palette} />;
  return (
    <aside className={`preview preview-step-${step}`} aria-label="Your card so far">
      <Mosaic
        seed={profile._id}
        palette={palette}
        grid={BACKGROUND_GRID}
        className="mosaic preview-mosaic"
      />
      <div className="preview-card card-strip">
        <DraftCard profile={profile} palette={palette} logo={logo} portrait={portrait} />
      </div>
      <div className="preview-text">
        <h2>Your card, wherever you are</h2>
        <p className="muted">
          One link, one QR code. Change your card and everyone you ever gave it to has the new one.
        </p>
      </div>
    </aside>
  );
}
