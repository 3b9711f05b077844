import '#view/card.css';
import './appearance.css';

import { useId, useRef, useState } from 'react';

import { LOOKS, cardPalette } from '#domain/appearance.ts';
import type { Look } from '#domain/appearance.ts';
import { logoSize } from '#domain/logo.ts';
import { PATHS } from '#domain/path.ts';
import { lockedNote } from '#domain/profile-field.ts';
import type { Profile } from '#domain/profile.ts';
import { useIsOffline } from '#web/shared/http/query.ts';
import { isLocked, settings } from '#web/shared/http/settings.ts';
import { useAppearance, brandLogo } from '#web/shared/profile/card.ts';
import type { OwnAppearance } from '#web/shared/profile/card.ts';
import { useOwner } from '#web/shared/profile/profile.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { PageFrame } from '#web/shared/ui/page-frame.tsx';

import { HueInput, LookOption, Preview } from './look.tsx';
import { useChoices } from './use-choices.ts';

/** docs/product.md#appearance. */
export function Page() {
  const profile = useOwner();
  const appearance = useAppearance();
  return (
    <PageFrame title="Appearance" backPath={PATHS.edit}>
      <div className="appearance stack">
        {profile && appearance ? (
          <Choices profile={profile} appearance={appearance} />
        ) : (
          <>
            <LoadingStatus>The appearance is loading</LoadingStatus>
            <Skeleton width="100%" height="min(62.5vw - 20px, 380px)" />
            <Skeleton width="100%" height="320px" />
          </>
        )}
      </div>
    </PageFrame>
  );
}

const TEXTS: Readonly<Record<Look, { readonly name: string; readonly note: string }>> = {
  photo: { name: 'From photo', note: 'Nearest to the edges of your photo.' },
  id: { name: 'Mine', note: 'What your card began with.' },
  quiet: { name: 'Quiet', note: 'One calm tone.' },
  own: { name: 'Own colour', note: 'Your company’s, say.' },
};
const WITHOUT_PHOTO = 'Once you add one; until then Mine.';
/** The hue of an own colour that nobody has chosen yet. */
const FIRST_HUE = 250;
const ACCEPTED_TYPES = 'image/jpeg,image/png,image/webp,image/svg+xml';

interface ChoicesProps {
  readonly profile: Profile;
  readonly appearance: OwnAppearance;
}

function Choices({ profile, appearance }: ChoicesProps) {
  const { message, canUndo, choose, undo, ...logo } = useChoices();
  const [pickedHue, setPickedHue] = useState<number | null>(null);
  const isOffline = useIsOffline();
  const locked = isLocked('appearance') ? lockedNote(settings().productName) : null;
  const rejection = locked ?? (isOffline ? 'Needs a network.' : null);
  const messageId = useId();
  const hue = pickedHue ?? appearance.hue ?? FIRST_HUE;
  const paletteOf = (palette: Look) => cardPalette(profile._id, { ...appearance, palette, hue });
  const shown = pickedHue === null ? appearance.palette : 'own';
  return (
    <>
      <Preview profile={profile} palette={paletteOf(shown)} logo={appearance.logo ?? brandLogo()} />
      <fieldset
        className="appearance-looks stack"
        disabled={rejection !== null}
        aria-describedby={messageId}
      >
        <legend className="legend">Look</legend>
        {LOOKS.map((look) => (
          <LookOption
            key={look}
            {...TEXTS[look]}
            {...(look === 'photo' && profile.profilePhoto === '' && { note: WITHOUT_PHOTO })}
            palette={paletteOf(look)}
            isChosen={shown === look}
            onChoose={() => choose({ palette: look, hue: look === 'own' ? hue : appearance.hue })}
          >
            {look === 'own' && (
              <HueInput
                hue={hue}
                onPick={setPickedHue}
                onCommit={(picked) => {
                  setPickedHue(null);
                  choose({ palette: 'own', hue: picked });
                }}
              />
            )}
          </LookOption>
        ))}
      </fieldset>
      <Logo logo={appearance.logo} isDisabled={rejection !== null} {...logo} />
      <div className="appearance-end row">
        <Button variant="plain" disabled={!canUndo || rejection !== null} onClick={undo}>
          Undo
        </Button>
        <output>
          <span id={messageId}>{rejection ?? message}</span>
        </output>
      </div>
    </>
  );
}

interface LogoProps {
  readonly logo: string | null;
  readonly isDisabled: boolean;
  readonly addLogo: (file: File) => void;
  readonly removeLogo: (logo: string) => Promise<void>;
}

function Logo({ logo, isDisabled, addLogo, removeLogo }: LogoProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <section className="appearance-logo stack" aria-labelledby="appearance-logo">
      <h2 id="appearance-logo" className="legend">
        Logo
      </h2>
      <p className="muted">Beside your company. A JPG, PNG, WebP or SVG.</p>
      {logo === null ? (
        <Button disabled={isDisabled} onClick={() => input.current?.click()}>
          Add logo
        </Button>
      ) : (
        <div className="appearance-logo-stored row">
          <img src={logo} alt="Your logo" {...logoSize(logo)} />
          <Button disabled={isDisabled} onClick={() => void removeLogo(logo)}>
            Remove logo
          </Button>
        </div>
      )}
      <input
        ref={input}
        type="file"
        accept={ACCEPTED_TYPES}
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) addLogo(file);
          // Otherwise choosing the same file again fires no event.
          target.value = '';
        }}
      />
    </section>
  );
}
