import { displayName, initials } from '#domain/display.ts';
import { idPalette } from '#domain/palette.ts';
import type { Palette } from '#domain/palette.ts';
import { photoSources } from '#domain/photo.ts';
import type { Profile } from '#domain/profile.ts';

/** The widths of the portrait on a desktop, a low and a high phone (poster.css). */
export const POSTER_SIZES =
  '(min-width:900px) 288px,(min-width:760px) 216px,(max-height:699px) 144px,216px';

interface PortraitProps {
  readonly profile: Profile;
  /** By default that of the id. */
  readonly palette?: Palette | undefined;
  /** The widths at which it is shown, for the browser's choice of a file. */
  readonly sizes?: string;
}

/** An arch with the photo, or with the initials in the card's own colours. */
export function Portrait({ profile, palette, sizes = '112px' }: PortraitProps) {
  const photo = photoSources(profile.profilePhoto);
  if (photo === null) return <Initials profile={profile} palette={palette} />;
  return (
    <picture>
      {photo.webpSet !== '' && <source type="image/webp" srcSet={photo.webpSet} sizes={sizes} />}
      <img className="portrait" src={photo.src} alt={displayName(profile)} />
    </picture>
  );
}

/** In SVG units. */
const SIDE = 12;
/** Head and shoulders, for a card without a photo and a name. */
const FIGURE = 'M6 3a2 2 0 0 1 0 4a2 2 0 0 1 0-4M2 12c0-2.6 1.7-4.2 4-4.2s4 1.6 4 4.2z';
/** Initials with combining characters are longer and get a smaller font size. */
const PLAIN_LENGTH_MAX = 2;

function Initials({ profile, palette = idPalette(profile._id) }: PortraitProps) {
  const {
    light,
    tones: [deep],
  } = palette;
  const letters = initials(profile);
  return (
    <svg className="portrait" viewBox={`0 0 ${SIDE} ${SIDE}`} aria-hidden="true">
      <path fill={light} d={`M0 0h${SIDE}v${SIDE}H0z`} />
      {letters === '' ? (
        <path fill={deep} d={FIGURE} />
      ) : (
        <text
          x={SIDE / 2}
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
