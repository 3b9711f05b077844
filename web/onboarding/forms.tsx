import { useEffect, useId, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';

import type { SocialMediaHandles } from '#domain/handle.ts';
import { networksWithHandle, socialTiles } from '#domain/onboarding.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { Button } from '#web/ui/button.tsx';
import { usePhoneFormat } from '#web/ui/phone-text.ts';
import { ProfileField } from '#web/ui/profile-field.tsx';
import { Socials } from '#web/ui/socials.tsx';
import { UnsavedNote } from '#web/ui/unsaved-note.tsx';

interface StepProps {
  readonly card: Profile;
  /** '' if the address does not contain it. */
  readonly loginPhone: string;
  readonly saved: SocialMediaHandles;
  readonly change: (changed: ProfileChange) => void;
  readonly onNext: () => void;
  readonly hasFailed: boolean;
}

export function PersonalStep({ card, loginPhone, change, onNext }: StepProps) {
  const formatPhone = usePhoneFormat();
  return (
    <StepForm title="Welcome" description="First, who you are." onNext={onNext}>
      <ProfileField
        field="name"
        value={card.name}
        onChange={(name) => change({ name })}
        enterKeyHint="next"
        inputRef={focusOnMount}
      />
      <ProfileField
        field="email"
        value={card.email}
        onChange={(email) => change({ email })}
        enterKeyHint="next"
      />
      {card.phone !== '' && card.phone === loginPhone && (
        <p className="step-note">
          The number that you signed in with, <bdi>{formatPhone(loginPhone)}</bdi>, becomes the
          phone number on your card. You can change it in Edit Profile.
        </p>
      )}
    </StepForm>
  );
}

export function CompanyStep({ card, change, onNext }: StepProps) {
  return (
    <StepForm title="Where you work" description="Leave out what does not fit." onNext={onNext}>
      <ProfileField
        field="companyName"
        label="Company Name"
        name="organization"
        value={card.companyName}
        onChange={(companyName) => change({ companyName })}
        enterKeyHint="next"
        inputRef={focusOnMount}
      />
      <ProfileField
        field="designation"
        name="organization-title"
        value={card.designation}
        onChange={(designation) => change({ designation })}
        enterKeyHint="next"
      />
    </StepForm>
  );
}

export function SocialsStep({ card, saved, change, onNext, hasFailed }: StepProps) {
  const handles = card.socialMediaHandles;
  const grid = useRef<HTMLDivElement>(null);
  const [tiles, setTiles] = useState(() => socialTiles(saved, handles));
  useEffect(() => {
    grid.current?.querySelector('button')?.focus();
  }, []);

  const changeHandles = (next: SocialMediaHandles) => {
    // New networks are appended. Tiles are never removed, so that none moves under the pointer.
    setTiles([...tiles, ...networksWithHandle(next).filter((network) => !tiles.includes(network))]);
    change({ socialMediaHandles: next });
  };
  return (
    <StepForm
      title="Add Socials"
      description="Where people can find you. You can add more later."
      onNext={onNext}
      hasFailed={hasFailed}
    >
      <div ref={grid}>
        <Socials tiles={tiles} handles={handles} onChange={changeHandles} />
      </div>
    </StepForm>
  );
}

interface StepFormProps {
  readonly title: string;
  readonly description: string;
  readonly onNext: () => void;
  readonly hasFailed?: boolean;
  readonly children: ReactNode;
}

function StepForm({ title, description, onNext, hasFailed = false, children }: StepFormProps) {
  const titleId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onNext();
  };
  return (
    <form className="step" aria-labelledby={titleId} noValidate onSubmit={submit}>
      <h1 id={titleId}>{title}</h1>
      <p className="step-description">{description}</p>
      {children}
      <div className="step-end">
        <UnsavedNote isShown={hasFailed} />
        <Button variant="main" type="submit" className="step-next">
          Next
        </Button>
      </div>
    </form>
  );
}

function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
