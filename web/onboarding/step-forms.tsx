import { useEffect, useId, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';

import type { SocialMediaHandles } from '#domain/handle.ts';
import { savedNetworks, socialTiles } from '#domain/onboarding.ts';
import { Button } from '#web/ui/button.tsx';
import { ProfileField } from '#web/ui/profile-field.tsx';
import { Socials } from '#web/ui/socials.tsx';

import type { Draft } from './draft.ts';

interface StepProps {
  readonly draft: Draft;
  /** The handles that the server holds. */
  readonly saved: SocialMediaHandles;
  readonly change: (changed: Partial<Draft>) => void;
  readonly onNext: () => void;
}

export function PersonalStep({ draft, change, onNext }: StepProps) {
  return (
    <StepForm title="Welcome" description="First, who you are." onNext={onNext}>
      <ProfileField
        field="name"
        value={draft.name}
        onChange={(name) => change({ name })}
        enterKeyHint="next"
        inputRef={focusOnMount}
      />
      <ProfileField
        field="email"
        value={draft.email}
        onChange={(email) => change({ email })}
        enterKeyHint="next"
      />
    </StepForm>
  );
}

export function CompanyStep({ draft, change, onNext }: StepProps) {
  return (
    <StepForm title="Where you work" description="Leave out what does not fit." onNext={onNext}>
      <ProfileField
        field="companyName"
        label="Company Name"
        name="organization"
        value={draft.companyName}
        onChange={(companyName) => change({ companyName })}
        enterKeyHint="next"
        inputRef={focusOnMount}
      />
      <ProfileField
        field="designation"
        name="organization-title"
        value={draft.designation}
        onChange={(designation) => change({ designation })}
        enterKeyHint="next"
      />
    </StepForm>
  );
}

export function SocialsStep({ draft, saved, change, onNext }: StepProps) {
  const handles = draft.socialMediaHandles;
  const grid = useRef<HTMLDivElement>(null);
  const [tiles, setTiles] = useState(() => socialTiles(saved, handles));
  useEffect(() => {
    grid.current?.querySelector('button')?.focus();
  }, []);

  const changeHandles = (next: SocialMediaHandles) => {
    // New networks are appended. Tiles are never removed, so that none moves under the pointer.
    setTiles([...tiles, ...savedNetworks(next).filter((network) => !tiles.includes(network))]);
    change({ socialMediaHandles: next });
  };
  return (
    <StepForm
      title="Add Socials"
      description="Where people can find you. You can add more later."
      onNext={onNext}
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
  readonly children: ReactNode;
}

/** The form of a step with its button Next, which Enter presses. */
function StepForm({ title, description, onNext, children }: StepFormProps) {
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
      <Button variant="main" type="submit" className="step-next">
        Next
      </Button>
    </form>
  );
}

/** A ref callback that focuses the element when it is mounted. */
function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
