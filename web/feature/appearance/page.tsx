import '#view/any-card.css';
import './appearance.css';

import { useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';

import { PALETTE_CHOICES, cardPalette } from '#domain/appearance.ts';
import type { PaletteChoice } from '#domain/appearance.ts';
import { logoSize } from '#domain/logo.ts';
import { PATHS } from '#domain/path.ts';
import { lockedNote } from '#domain/profile-field.ts';
import type { Profile } from '#domain/profile.ts';
import { useIsOffline } from '#web/shared/http/query.ts';
import { isLocked, settings } from '#web/shared/http/settings.ts';
import { appearanceQuery, useAppearance, brandLogo } from '#web/shared/profile/card.ts';
import type { OwnAppearance } from '#web/shared/profile/card.ts';
import { useOwner } from '#web/shared/profile/profile.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { LoadState } from '#web/shared/ui/note-box.tsx';
import { PageFrame } from '#web/shared/ui/page-frame.tsx';

import { HueInput, LookOption, Preview } from './look.tsx';
import { Swatches } from './swatches.tsx';
import { useChoices } from './use-choices.ts';

/** docs/develop/product.md#appearance. */
export function Page() {
  const profile = useOwner();
  const appearance = useAppearance();
  const query = useQuery(appearanceQuery());
  return (
    <PageFrame title="Appearance" backPath={PATHS.edit}>
      <div className="appearance stack">
        <LoadState
          query={query}
          sentence="We couldn't load your card's look. Check your network."
          offline="Your card's look needs a network. You'll see it when you're back online."
        />
        {profile && appearance && query.data && (
          <Choices profile={profile} appearance={appearance} />
        )}
        {!(profile && query.isFetched) && !(profile && query.data) && (
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

const LOOK_TEXTS: Readonly<
  Record<PaletteChoice, { readonly name: string; readonly note: string }>
> = {
  photo: { name: 'From photo', note: 'Colours from your photo.' },
  id: { name: 'Original', note: 'The colours your card started with.' },
  quiet: { name: 'Quiet', note: 'One calm tone.' },
  own: { name: 'Own colour', note: "Your company's, for example." },
};
const NOTE_WITHOUT_PHOTO = "Works once you add a photo. Until then, it's Original.";
/** The hue of an own colour that nobody has chosen yet. */
const DEFAULT_HUE = 250;
const ACCEPTED_TYPES = 'image/jpeg,image/png,image/webp,image/svg+xml';

interface ChoicesProps {
  readonly profile: Profile;
  readonly appearance: OwnAppearance;
}

function Choices({ profile, appearance }: ChoicesProps) {
  const { message, isSaving, canUndo, choose, undo, ...logo } = useChoices();
  const [pickedHue, setPickedHue] = useState<number | null>(null);
  const isOffline = useIsOffline();
  const locked = isLocked('appearance') ? lockedNote(settings().productName) : null;
  const disabledReason = locked ?? (isOffline ? 'Needs a network.' : null);
  const messageId = useId();
  const hue = pickedHue ?? appearance.hue ?? DEFAULT_HUE;
  const paletteOf = (palette: PaletteChoice) =>
    cardPalette(profile._id, { ...appearance, palette, hue, swatch: null });
  const shownLook = pickedHue === null ? appearance.palette : 'own';
  const swatch = shownLook === 'id' ? appearance.swatch : null;
  return (
    <>
      <Preview
        profile={profile}
        palette={swatch === null ? paletteOf(shownLook) : cardPalette(profile._id, appearance)}
        logo={appearance.logo ?? brandLogo()}
      />
      <fieldset
        className="appearance-looks stack"
        disabled={disabledReason !== null}
        aria-busy={isSaving}
        aria-describedby={messageId}
      >
        <legend className="legend">Look</legend>
        {PALETTE_CHOICES.map((look) => (
          <LookOption
            key={look}
            {...LOOK_TEXTS[look]}
            {...(look === 'photo' && profile.profilePhoto === '' && { note: NOTE_WITHOUT_PHOTO })}
            palette={paletteOf(look)}
            isChosen={shownLook === look && swatch === null}
            onChoose={() => choose({ palette: look, ...(look === 'own' && { hue }) })}
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
        <Swatches chosen={swatch} onChoose={choose} />
      </fieldset>
      <Logo logo={appearance.logo} isDisabled={disabledReason !== null} {...logo} />
      <div className="appearance-end row">
        <Button variant="plain" disabled={!canUndo || disabledReason !== null} onClick={undo}>
          Undo
        </Button>
        <Message id={messageId}>{disabledReason ?? message}</Message>
      </div>
    </>
  );
}

/** The text has an element of its own, because a description by an output element would be empty. */
function Message({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <output>
      <span id={id}>{children}</span>
    </output>
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
      <p className="muted">Shown beside your company. Use a JPG, PNG, WebP or SVG.</p>
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
          // Without this, choosing the same file again would fire no event.
          target.value = '';
        }}
      />
    </section>
  );
}
