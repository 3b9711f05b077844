import { useSearchParams } from 'react-router';

import { PROFILE_FIELDS } from '#domain/profile-field.ts';
import type { Profile } from '#domain/profile.ts';
import { cleanInput } from '#domain/text.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { LoadingScreen } from '#web/ui/loading.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';

import { CompanyStep } from './company-step.tsx';
import { profileFrom, useDraft } from './draft.ts';
import { PersonalStep } from './personal-step.tsx';
import { Preview } from './preview.tsx';
import { Progress } from './progress.tsx';
import { useSave } from './save.ts';
import { SocialsStep } from './socials-step.tsx';
import { useWalk } from './walk.ts';

const STEPS = [PersonalStep, CompanyStep, SocialsStep] as const;

/** The three steps beside the card that they make. */
export function Steps({ profile }: { readonly profile: Profile }) {
  const [query] = useSearchParams();
  const { step, ...walk } = useWalk();
  const [draft, change] = useDraft(profile);
  const [isSaving, save] = useSave(step);
  const Step = STEPS[step] ?? PersonalStep;
  const signInPhone = cleanInput(query.get('phone') ?? '', PROFILE_FIELDS.phone.lengthMax);
  const card = profileFrom(profile, draft, signInPhone);

  const goOn = () => (step === STEPS.length - 1 ? void save(card) : walk.goOn());

  return (
    <div className="onboarding">
      <div className="onboarding-form">
        <header className="onboarding-head">
          <IconButton
            name="Back"
            glyph="back"
            className={step === 0 ? 'onboarding-back-end' : ''}
            onClick={walk.goBack}
          />
          <Wordmark />
        </header>
        <main className="onboarding-main">
          <Progress step={step} />
          <Step key={step} draft={draft} change={change} goOn={goOn} />
        </main>
      </div>
      <Preview profile={card} />
      {isSaving && <LoadingScreen message="Setting up your Digital Business Card" />}
    </div>
  );
}
