import { useId, useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';

import type { SocialMediaHandles } from '#domain/handle.ts';
import { EMAIL_HINT, emailHint } from '#domain/hint.ts';
import { networksWithHandle, socialTiles } from '#domain/onboarding.ts';
import type { ProfileFieldName } from '#domain/profile-field.ts';
import type { Profile } from '#domain/profile.ts';
import { isLocked } from '#web/shared/http/settings.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { onSubmit } from '#web/shared/ui/field.tsx';
import { usePhones } from '#web/shared/ui/phone-text.ts';
import { ProfileField } from '#web/shared/ui/profile-field.tsx';
import { Socials } from '#web/shared/ui/socials.tsx';
import { TileIcon, UnsavedNote } from '#web/shared/ui/note-box.tsx';

import type { OnboardingForm, PersonalField } from './use-onboarding.ts';

interface StepProps extends Pick<OnboardingForm, 'loginPhone' | 'change' | 'note'> {
  readonly card: Profile;
  /** The field that a button of a later step opened, or 'name' when the first step is opened first. */
  readonly focused: PersonalField | null;
  readonly onCorrect: (field: PersonalField) => void;
  readonly saved: Profile;
  readonly onNext: () => void;
}

export function PersonalStep({ focused, loginPhone, ...step }: StepProps) {
  const { card, note, onNext } = step;
  const { formatPhone } = usePhones();
  return (
    <StepForm
      icon="contacts"
      title="Welcome"
      description="First, who you are."
      focusesTitle={focused === null}
      onNext={onNext}
      note={note}
    >
      <ProfileField {...fieldOf('name', step)} inputRef={focused === 'name' ? focus : undefined} />
      <ProfileField
        {...fieldOf('email', step)}
        inputRef={focused === 'email' ? focus : undefined}
      />
      {card.phone !== '' && card.phone === loginPhone && (
        <p className="step-note note">
          The number that you signed in with, <bdi>{formatPhone(loginPhone)}</bdi>, becomes the
          phone number on your card. You can change it in Edit Profile.
        </p>
      )}
    </StepForm>
  );
}

export function CompanyStep(step: StepProps) {
  return (
    <StepForm
      icon="work"
      title="Where you work"
      description="Leave out what does not fit."
      onNext={step.onNext}
      note={step.note}
    >
      <PersonalNotes {...step} />
      <ProfileField {...fieldOf('companyName', step)} label="Company Name" name="organization" />
      <ProfileField {...fieldOf('designation', step)} name="organization-title" />
    </StepForm>
  );
}

function fieldOf(
  field: ProfileFieldName,
  { card, saved, change }: Omit<StepProps, 'focused' | 'loginPhone'>,
) {
  return {
    field,
    value: card[field],
    isLocked: isLocked(field, saved[field]),
    onChange: (text: string) => change({ [field]: text }),
    enterKeyHint: 'next',
  } as const;
}

export function SocialsStep({ card, saved, change, note, onNext, onCorrect }: StepProps) {
  const handles = card.socialMediaHandles;
  const [tiles, setTiles] = useState(() => socialTiles(saved.socialMediaHandles, handles));

  const changeHandles = (next: SocialMediaHandles) => {
    // New networks are appended. Tiles are never removed, so that none moves under the pointer.
    setTiles([...tiles, ...networksWithHandle(next).filter((network) => !tiles.includes(network))]);
    change({ socialMediaHandles: next });
  };
  return (
    <StepForm
      icon="link"
      title="Add Socials"
      description="Where people can find you. You can add more later."
      hint="Next saves your card."
      onNext={onNext}
      note={note}
    >
      <PersonalNotes card={card} onCorrect={onCorrect} />
      <Socials tiles={tiles} handles={handles} phone={card.phone} onChange={changeHandles} />
    </StepForm>
  );
}

/** Notes of the first step, which goes on with an empty or a wrong field. */
function PersonalNotes({ card, onCorrect }: Pick<StepProps, 'card' | 'onCorrect'>) {
  const isUnnamed = card.name.trim() === '';
  const hasEmailHint = emailHint(card.email) !== '';
  if (!isUnnamed && !hasEmailHint) return null;
  return (
    <div className="step-notes head remark row">
      {isUnnamed && (
        <>
          <p>Visitors will see Unknown.</p>
          <Button onClick={() => onCorrect('name')}>Add your name</Button>
        </>
      )}
      {hasEmailHint && (
        <>
          <p>
            <bdi>{card.email}</bdi>: {EMAIL_HINT}
          </p>
          <Button onClick={() => onCorrect('email')}>Correct it</Button>
        </>
      )}
    </div>
  );
}

interface StepFormProps extends Pick<StepProps, 'note'> {
  readonly icon: ComponentProps<typeof TileIcon>['name'];
  readonly title: string;
  readonly description: string;
  readonly hint?: string;
  readonly focusesTitle?: boolean;
  readonly onNext: () => void;
  readonly children: ReactNode;
}

function StepForm({ icon, title, description, onNext, ...rest }: StepFormProps) {
  const { focusesTitle = true, hint, note, children } = rest;
  const titleId = useId();
  return (
    <form className="step stack" aria-labelledby={titleId} noValidate onSubmit={onSubmit(onNext)}>
      <header className="step-head">
        <TileIcon name={icon} />
        <h1 id={titleId} tabIndex={-1} ref={focusesTitle ? focus : undefined}>
          {title}
        </h1>
        <p className="muted">{description}</p>
      </header>
      {children}
      <div className="step-end stack">
        <UnsavedNote {...note} />
        {hint !== undefined && <p className="note">{hint}</p>}
        <Button variant="main" type="submit" className="step-next">
          Next
        </Button>
      </div>
    </form>
  );
}

function focus(element: HTMLElement | null): void {
  element?.focus();
}
