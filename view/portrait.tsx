import { useState } from 'react';

import { displayName, initials } from '#domain/display.ts';
import { idPalette } from '#domain/palette.ts';
import type { Palette } from '#domain/palette.ts';
import { photoSources } from '#domain/photo.ts';
import type { Profile } from '#domain/profile.ts';

/** The widths of the portrait on a desktop, a tablet, a low phone and a tall phone (poster.css). */
export const POSTER_SIZES =
  '(min-width:900px) 288px,(min-width:760px) 216px,(max-height:699px) 144px,216px';

interface PortraitProps {
  readonly profile: Profile;
  /** By default, the palette of the id. */
  readonly palette?: Palette | undefined;
  /** The widths at which the photo is shown, from which the browser chooses a file. */
  readonly sizes?: string;
  /** Whether the initials are rendered too, for the public card's script to show if the photo's file is gone. */
  readonly hasFallback?: boolean;
}

/** Renders an arch with the photo, or with the initials in the card's own colours. */
export function Portrait({ sizes = '112px', hasFallback = false, ...person }: PortraitProps) {
  const { profile } = person;
  const [failedSrc, setFailedSrc] = useState('');
  const photo = photoSources(profile.profilePhoto);
  const defaultPicture = <Initials {...person} />;
  if (photo === null || photo.src === failedSrc) return defaultPicture;
  return (
    <>
      <picture>
        {photo.webpSet !== '' && <source type="image/webp" srcSet={photo.webpSet} sizes={sizes} />}
        <img
          className="portrait"
          src={photo.src}
          alt={displayName(profile)}
          onError={() => setFailedSrc(photo.src)}
        />
      </picture>
      {hasFallback && <template>{defaultPicture}</template>}
    </>
  );
}

const VIEW_BOX_SIDE = 12;
/** Head and shoulders, for a card with neither a photo nor a name. */
const PERSON_PATH = 'M6 3a2 2 0 0 1 0 4a2 2 0 0 1 0-4M2 12c0-2.6 1.7-4.2 4-4.2s4 1.6 4 4.2z';
/** Longer initials contain combining characters, and get a smaller font size. */
const PLAIN_LENGTH_MAX = 2;

function Initials({
  profile,
  palette = idPalette(profile._id),
}: Pick<PortraitProps, 'profile' | 'palette'>) {
  const {
    light,
    tones: [deep],
  } = palette;
  const letters = initials(profile);
  return (
    <svg className="portrait" viewBox={`0 0 ${VIEW_BOX_SIDE} ${VIEW_BOX_SIDE}`} aria-hidden="true">
      <path fill={light} d={`M0 0h${VIEW_BOX_SIDE}v${VIEW_BOX_SIDE}H0z`} />
      {letters === '' ? (
        <path fill={deep} d={PERSON_PATH} />
      ) : (
        <text
          x={VIEW_BOX_SIDE / 2}
          y="7.3"
          dy=".35em"
          fill={deep}
          textAnchor="middle"
          fontSize={letters.length > PLAIN_LENGTH_MAX ? '3.6' : '5.2'}
          fontWeight="700"
        >
          {letters}
        </text>
      )}
    </svg>
  );
}
