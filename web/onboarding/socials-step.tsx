import { useEffect, useRef, useState } from 'react';

import type { SocialMediaHandles } from '#domain/handle.ts';
import { onboardingTiles, savedNetworks } from '#domain/onboarding.ts';
import { Socials } from '#web/ui/socials.tsx';

import { StepForm } from './step.tsx';
import type { StepProps } from './step.tsx';

export function SocialsStep({ draft, change, goOn }: StepProps) {
  const handles = draft.socialMediaHandles;
  const grid = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(() => onboardingTiles(handles));
  useEffect(() => {
    grid.current?.querySelector('button')?.focus();
  }, []);

  const keep = (next: SocialMediaHandles) => {
    // What has been added joins at the end; a tile never leaves under the finger.
    setShown([...shown, ...savedNetworks(next).filter((network) => !shown.includes(network))]);
    change({ socialMediaHandles: next });
  };
  return (
    <StepForm
      title="Add Socials"
      lead="Where people can find you. You can add more later."
      goOn={goOn}
    >
      <div ref={grid}>
        <Socials tiles={shown} handles={handles} onChange={keep} />
      </div>
    </StepForm>
  );
}
