import { useId, useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';

import type { SocialMediaHandles } from '#domain/handle.ts';
import { EMAIL_HINT, emailHint } from '#domain/hint.ts';
import { isBlank } from '#domain/invisible.ts';
import { NETWORKS } from '#domain/network.ts';
import type { Network } from '#domain/network.ts';
import { initialTiles, networksWithHandle } from '#domain/onboarding.ts';
import type { ProfileFieldName } from '#domain/profile-field.ts';
import type { Profile } from '#domain/profile.ts';
import { isLocked } from '#web/shared/http/settings.ts';
import { FillIn } from '#web/shared/vcard/fill-in.tsx';
import { useFirstHandles } from '#web/shared/profile/profile.ts';
import { Button, isRepeatedClick } from '#web/shared/ui/button.tsx';
import { onSubmit } from '#web/shared/ui/field.tsx';
import { usePhoneFormat } from '#web/shared/ui/phone-text.ts';
import { ProfileField } from '#web/shared/ui/profile-field.tsx';
import { Socials } from '#web/shared/ui/socials.tsx';
import { TileIcon, UnsavedNote } from '#web/shared/ui/note-box.tsx';

import type { OnboardingForm, PersonalField } from './use-onboarding.ts';

interface StepProps extends Pick<
  OnboardingForm,
  'isLoginPhone' | 'change' | 'note' | 'ownLinks' | 'fill'
> {
  readonly card: Profile;
  /** The field that gets the focus: 'name' at first, or the one that a later step leads back to. */
  readonly focused: PersonalField | null;
  readonly onCorrect: (field: PersonalField) => void;
  readonly saved: Profile;
  readonly onNext: () => void;
}

export function PersonalStep({ focused, isLoginPhone, ...step }: StepProps) {
  const { card, note, onNext } = step;
  const { formatPhone } = usePhoneFormat();
  return (
    <StepForm
      icon="contacts"
      title="Welcome"
      description="Let's start with you."
      focusesTitle={focused === null}
      onNext={onNext}
      note={note}
    >
      <FillIn profile={step.saved} card={card} links={step.ownLinks} onFill={step.fill} />
      <ProfileField
        {...fieldProps('name', step)}
        inputRef={focused === 'name' ? focusElement : undefined}
      />
      <ProfileField
        {...fieldProps('email', step)}
        inputRef={focused === 'email' ? focusElement : undefined}
      />
      {isLoginPhone && (
        <p className="step-note note">
          Your card will show <bdi>{formatPhone(card.phone)}</bdi>. Change it any time in Edit
          Profile.
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
      description="Skip what doesn't apply."
      onNext={step.onNext}
      note={step.note}
    >
      <PersonalHints {...step} />
      <ProfileField {...fieldProps('companyName', step)} label="Company Name" name="organization" />
      <ProfileField {...fieldProps('designation', step)} name="organization-title" />
    </StepForm>
  );
}

function fieldProps(
  field: ProfileFieldName,
  { card, saved, change }: Pick<StepProps, 'card' | 'saved' | 'change'>,
) {
  return {
    field,
    value: card[field],
    isLocked: isLocked(field, saved[field]),
    onChange: (text: string) => change({ [field]: text }),
    enterKeyHint: 'next',
  } as const;
}

export function SocialsStep({ card, change, note, onNext, onCorrect }: StepProps) {
  const handles = card.socialMediaHandles;
  const firstHandles = useFirstHandles(card);
  const [changed, setChanged] = useState<readonly Network[]>([]);
  // New networks are appended. A tile that this person has changed is never removed, so that no tile moves
  // under the pointer.
  const tiles = [
    ...new Set([...initialTiles(firstHandles), ...changed, ...networksWithHandle(handles)]),
  ];

  const changeHandles = (next: SocialMediaHandles) => {
    setChanged([...changed, ...NETWORKS.filter((network) => next[network] !== handles[network])]);
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
      <PersonalHints card={card} onCorrect={onCorrect} />
      <Socials tiles={tiles} handles={handles} phone={card.phone} onChange={changeHandles} />
    </StepForm>
  );
}

/** Repeats the hints of the first step, which lets people continue with an empty or a wrong field. */
function PersonalHints({ card, onCorrect }: Pick<StepProps, 'card' | 'onCorrect'>) {
  const isUnnamed = isBlank(card.name);
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
        <h1 id={titleId} tabIndex={-1} ref={focusesTitle ? focusElement : undefined}>
          {title}
        </h1>
        <p className="muted">{description}</p>
      </header>
      {children}
      <div className="step-end stack">
        <UnsavedNote {...note} />
        {hint !== undefined && <p className="note">{hint}</p>}
        <Button
          variant="main"
          type="submit"
          className="step-next"
          // The next step's button is in the same place, so a double press would skip that step.
          onClick={(event) => isRepeatedClick(event) && event.preventDefault()}
        >
          Next
        </Button>
      </div>
    </form>
  );
}

function focusElement(element: HTMLElement | null): void {
  element?.focus();
}
