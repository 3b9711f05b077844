import './onboarding.css';
import '#web/shared/ui/draft-card.css';
import './preview.css';

import { displayName } from '#domain/display.ts';
import { BACKGROUND_GRID, POSTER_GRID } from '#domain/mosaic.ts';
import { ONBOARDING_STEPS } from '#domain/onboarding.ts';
import type { Profile } from '#domain/profile.ts';
import { Wordmark } from '#view/document.tsx';
import { Mosaic } from '#view/mosaic.tsx';
import { Portrait } from '#view/portrait.tsx';
import { settings } from '#web/shared/http/settings.ts';
import { storedId } from '#web/shared/http/storage.ts';
import type { StoredDraft } from '#web/shared/http/storage.ts';
import { PhotoPanel } from '#web/shared/photo/photo-editor.tsx';
import { useCardLook } from '#web/shared/profile/card.ts';
import { useStoredDraft } from '#web/shared/profile/draft.ts';
import { LookFailure } from '#web/shared/profile/failures.tsx';
import { useOwner } from '#web/shared/profile/profile.ts';
import { IconButton, isRepeatedClick } from '#web/shared/ui/button.tsx';
import { DraftCard } from '#web/shared/ui/draft-card.tsx';
import { LoadingStatus, Skeleton, LoadingScreen } from '#web/shared/ui/loading.tsx';

import { CompanyStep, PersonalStep, SocialsStep } from './forms.tsx';
import { useOnboarding, useSteps } from './use-onboarding.ts';
import type { OnboardingDraft } from './use-onboarding.ts';

/** The onboarding pages (docs/develop/product.md#onboarding). */
export function Page() {
  const profile = useOwner();
  const draft = useStoredDraft<OnboardingDraft>('onboarding', storedId() ?? '');
  return profile && draft ? <Steps profile={profile} stored={draft} /> : <OnboardingSkeleton />;
}

function OnboardingSkeleton() {
  return (
    <div className="onboarding">
      <div className="onboarding-form">
        <Head />
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

/** Without `onBack` there is no earlier step, and the button does nothing. */
function Head({ onBack }: { readonly onBack?: (() => void) | undefined }) {
  return (
    <header className="onboarding-head row">
      <IconButton
        name="Back"
        icon="back"
        className={onBack ? 'back' : 'back muted'}
        onClick={(event) => !isRepeatedClick(event) && onBack?.()}
      />
      <Wordmark productName={settings().productName} />
    </header>
  );
}

const STEPS = [PersonalStep, CompanyStep, SocialsStep] as const;

interface StepsProps {
  readonly profile: Profile;
  readonly stored: StoredDraft<OnboardingDraft>;
}

function Steps({ profile, stored }: StepsProps) {
  const { step, focused, goToNext, goToField, goToPrevious } = useSteps();
  const { card, isSaving, save, ...form } = useOnboarding(profile, stored, step);
  const Step = STEPS[step] ?? PersonalStep;

  return (
    <div className="onboarding">
      <div className="onboarding-form">
        <Head onBack={step === 0 ? undefined : goToPrevious} />
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
          <LookFailure />
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
      {isSaving && (
        <LoadingScreen message="Setting up your Digital Business Card">
          <SettlingCard profile={card} />
        </LoadingScreen>
      )}
    </div>
  );
}

/** The owner's own tiles settle into the top of their card. */
function SettlingCard({ profile }: { readonly profile: Profile }) {
  const { palette } = useCardLook(profile);
  return (
    <div className="settling">
      <div className="settling-poster">
        <Mosaic seed={profile._id} palette={palette} grid={POSTER_GRID} />
        <Portrait profile={profile} palette={palette} />
      </div>
      <p className="card-name" dir="auto">
        {displayName(profile)}
      </p>
    </div>
  );
}

interface PreviewProps {
  readonly profile: Profile;
  /** The index of the step. The style sheet marks the part of the card that this step changes. */
  readonly step: number;
}

/** Shows the card so far beside the form. On a phone it is a strip at the top. */
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
