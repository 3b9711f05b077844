import { displayName, initials } from '#domain/display.ts';
import { mosaicOf } from '#domain/mosaic.ts';
import { photoSources } from '#domain/photo.ts';
import type { Profile } from '#domain/profile.ts';

/** The portrait's side in CSS pixels, so that its place is kept before it has come. */
const PORTRAIT_SIDE_PX = 112;
const SIZES = `${PORTRAIT_SIDE_PX}px`;

/** The photo; without one, initials on the card's own colours. */
export function Portrait({ profile }: { readonly profile: Profile }) {
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
  const [ground, tone, , light] = mosaicOf(profile._id).palette;
  return (
    <svg className="portrait" viewBox="0 0 8 8" aria-hidden="true">
      <path fill={ground} d="M0 0h8v8H0z" />
      <path fill={tone} d="M0 8a8 8 0 0 1 8-8v8z" opacity=".45" />
      <text x="4" y="4" dy=".35em" fill={light} textAnchor="middle" fontSize="2.9" fontWeight="600">
        {initials(profile)}
      </text>
    </svg>
  );
}
