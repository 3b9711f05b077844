import { displayName, initials } from '#domain/display.ts';
import { mosaicLayers, TILE_SIDE } from '#domain/mosaic-path.ts';
import { createMosaic } from '#domain/mosaic.ts';
import type { Palette } from '#domain/palette.ts';
import { photoSources } from '#domain/photo.ts';
import type { Profile } from '#domain/profile.ts';

/** In CSS pixels. It reserves the space while the photo loads. */
const PORTRAIT_SIDE_PX = 112;
const SIZES = `${PORTRAIT_SIDE_PX}px`;

interface PortraitProps {
  readonly profile: Profile;
  /** By default that of the id. */
  readonly palette?: Palette | undefined;
}

/** Without a photo, the initials in the card's own colours. */
export function Portrait({ profile, palette }: PortraitProps) {
  const photo = photoSources(profile.profilePhoto);
  if (photo !== null) {
    return (
      <picture>
        {photo.webpSet !== '' && <source type="image/webp" srcSet={photo.webpSet} sizes={SIZES} />}
        <img
          className="portrait"
          src={photo.src}
          srcSet={photo.jpegSet === '' ? undefined : photo.jpegSet}
          sizes={photo.jpegSet === '' ? undefined : SIZES}
          width={PORTRAIT_SIDE_PX}
          height={PORTRAIT_SIDE_PX}
          alt={displayName(profile)}
        />
      </picture>
    );
  }
  return <Initials profile={profile} palette={palette} />;
}

/** Faint colours, so that the letters stay readable. */
const TILES = { columns: 2, rows: 2 };
const SIDE = TILES.columns * TILE_SIDE;
/** Initials with combining characters are longer and get a smaller font size. */
const PLAIN_LENGTH_MAX = 2;

function Initials({ profile, palette }: PortraitProps) {
  const { palette: tones, tiles } = createMosaic(profile._id, TILES, palette);
  const [background, tone, , light] = tones;
  const shapes = tiles.map((tile) => ({ ...tile, base: 0, fill: 1 }));
  const letters = initials(profile);
  return (
    <svg className="portrait" viewBox={`0 0 ${SIDE} ${SIDE}`} aria-hidden="true">
      <path fill={background} d={`M0 0h${SIDE}v${SIDE}H0z`} />
      {mosaicLayers({ palette: tones, tiles: shapes }).shapes.map(({ path }) => (
        <path key={path} fill={tone} d={path} opacity=".4" />
      ))}
      <text
        x={SIDE / 2}
        y={SIDE / 2}
        dy=".35em"
        fill={light}
        textAnchor="middle"
        fontSize={letters.length > PLAIN_LENGTH_MAX ? '1.1' : '1.45'}
        fontWeight="600"
      >
        {letters}
      </text>
    </svg>
  );
}
