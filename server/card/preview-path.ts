import { createHash } from 'node:crypto';

import type { Profile } from '#domain/profile.ts';
import { cardPath } from '#domain/share.ts';

const VERSION_LENGTH = 12;
/** To be counted up whenever the drawing itself changes, so that old pictures are not kept. */
const DRAWING = 1;

/** A word that changes whenever something changes that the preview picture shows. */
export function previewVersion(profile: Profile): string {
  const { name, designation, companyName, profilePhoto } = profile;
  const shown = [DRAWING, name, designation, companyName, profilePhoto];
  const hash = createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
  return hash.slice(0, VERSION_LENGTH);
}

/** Where a card's preview picture is found; the version lets everybody keep it for long. */
export function previewPath(profile: Profile): string {
  return `${cardPath(profile._id)}/preview.jpg?v=${previewVersion(profile)}`;
}
