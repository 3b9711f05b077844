import { parseLinks, shownExtras } from '#domain/extras.ts';
import { socialLinks } from '#domain/handle.ts';
import type { Profile } from '#domain/profile.ts';
import { cardPath } from '#domain/share.ts';
import { contactFileName, writeVcard } from '#domain/vcard.ts';
import type { VcardExtras } from '#domain/vcard.ts';
import { publicRoute } from '#server/http/cache/public-route.ts';
import type { CardKey } from '#server/http/cache/public-route.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError } from '#server/error.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { toE164 } from '#server/adapter/profile/phone.ts';
import { findCard } from '#server/adapter/profile/card.ts';
import type { Card } from '#server/adapter/profile/card.ts';

import { createContactPhotos } from './contact-photo.ts';

/** The file needs a URL, because phones do not open files that a script creates. */
export function contactFileRoutes(context: AppContext): void {
  const { settings, dependencies, responses } = context;
  const photoOf = createContactPhotos(dependencies);

  async function render(key: CardKey, readPhoto: ReadPhoto) {
    const card = await findCard(dependencies.database, key.userId, context.brand);
    return card && contactFile(key, card.profile, await readExtras(card, key.origin, readPhoto));
  }

  async function readExtras({ profile, extras }: Card, origin: string, readPhoto: ReadPhoto) {
    if (settings.contactFile !== 'full') return undefined;
    const { phone, email, links, address } = shownExtras(extras, settings.cardExtras);
    return {
      url: `${origin}${cardPath(profile._id)}`,
      links: [
        ...socialLinks(profile.socialMediaHandles).map(({ name, href }) => ({
          label: name,
          url: href,
        })),
        ...parseLinks(links),
      ],
      phone: toE164(phone ?? ''),
      email: email ?? '',
      address: address ?? '',
      note: profile.bio,
      photo: await readPhoto(profile),
    };
  }

  publicRoute(context, {
    url: contactFilePath(':userID'),
    pathOf: contactFilePath,
    containsOrigin: settings.contactFile === 'full',
    respond: async (key) => {
      try {
        return await responses.getOrRender(key, () => render(key, photoOf));
      } catch (error) {
        const isPhotoUnavailable = error instanceof ApiError && error.code === 'unavailable';
        if (!isPhotoUnavailable) throw error;
        // The file is sent without the photo, and not cached.
        return render(key, async () => '');
      }
    },
  });
}

function contactFilePath(userId: string): string {
  return `${cardPath(userId)}/contact.vcf`;
}

type ReadPhoto = (profile: Profile) => Promise<string>;

function contactFile(
  key: CardKey,
  profile: Profile,
  extras: VcardExtras | undefined,
): StoredResponse {
  const fields = { ...profile, phone: toE164(profile.phone) };
  return new StoredResponse({
    body: writeVcard(fields, extras),
    headers: {
      'content-type': 'text/vcard; charset=utf-8',
      'content-disposition': contentDisposition(profile.name),
      'cache-control': key.isShareable ? 'no-cache' : 'private, no-cache',
    },
  });
}

/** A plain file name for old clients (RFC 6266), and the person's name (RFC 8187). */
function contentDisposition(name: string): string {
  const encoded = encodeURIComponent(contactFileName(name)).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="card.vcf"; filename*=UTF-8''${encoded}`;
}
