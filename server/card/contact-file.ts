import { userIdSchema } from '#domain/identifier.ts';
import { socialLinks } from '#domain/handle.ts';
import type { Profile } from '#domain/profile.ts';
import { cardPath } from '#domain/share.ts';
import { contactFileName, writeFullVcard, writeVcard } from '#domain/vcard.ts';
import type { VcardExtras } from '#domain/vcard.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError, cardNotFoundError } from '#server/http/api-error.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { originOf } from '#server/http/origin.ts';
import { sendFinished } from '#server/http/send.ts';
import { toE164 } from '#server/profile/phone.ts';
import { findProfile } from '#server/profile/store.ts';

import { readContactPhoto } from './contact-photo.ts';

const ROUTE = '/user/:userID/contact.vcf';

/**
 * Registers the route of the vCard that the Save button opens. The file needs a URL, because phones
 * do not open files that a script creates.
 */
export function contactFileRoutes(context: AppContext): void {
  const { fastify, settings, dependencies, responses, readRateLimit } = context;
  fastify.get<{ Params: { userID: string } }>(ROUTE, async (request, reply) => {
    readRateLimit.countOrThrow(request);
    const userId = request.params.userID;
    if (!userIdSchema.safeParse(userId).success) throw cardNotFoundError();
    const path = `${cardPath(userId)}/contact.vcf`;
    const key = { userId, path, route: ROUTE };
    // The full file contains the card's address.
    const origin = settings.hasFullContactFile ? originOf(request, settings.publicUrl) : '';
    const dependsOnOrigin = settings.hasFullContactFile && settings.publicUrl === null;
    const render = async (readPhoto: ReadPhoto) => {
      const profile = await findProfile(dependencies.database, userId);
      return profile && contactFile(profile, await extras(profile, origin, readPhoto));
    };
    const file = await responses
      .getOrRender(dependsOnOrigin ? { ...key, origin } : key, () =>
        render((name) => readContactPhoto(dependencies, name)),
      )
      .catch((error: unknown) => {
        // The photo store fails, or many pictures wait: without the photo, and not cached.
        if (error instanceof ApiError && error.code === 'unavailable')
          return render(async () => '');
        throw error;
      });
    if (!file) throw cardNotFoundError();
    return sendFinished(request, reply, file);
  });

  async function extras(profile: Profile, origin: string, readPhoto: ReadPhoto) {
    if (!settings.hasFullContactFile) return undefined;
    return {
      url: `${origin}${cardPath(profile._id)}`,
      links: socialLinks(profile.socialMediaHandles).map(({ name, href }) => ({
        label: name,
        url: href,
      })),
      note: profile.bio,
      photo: await readPhoto(profile.profilePhoto),
    };
  }
}

/** Returns the JPEG of a `profilePhoto` in base64; '' without one. */
type ReadPhoto = (profilePhoto: string) => Promise<string>;

function contactFile(profile: Profile, extras: VcardExtras | undefined): FinishedResponse {
  const fields = { ...profile, phone: toE164(profile.phone) };
  return new FinishedResponse({
    body: extras ? writeFullVcard(fields, extras) : writeVcard(fields),
    headers: {
      'content-type': 'text/vcard; charset=utf-8',
      'content-disposition': contentDisposition(profile.name),
      'cache-control': 'no-cache',
    },
  });
}

/** RFC 6266: a plain name for old clients, the person's name for the rest (RFC 8187). */
function contentDisposition(name: string): string {
  const encoded = encodeURIComponent(contactFileName(name)).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="card.vcf"; filename*=UTF-8''${encoded}`;
}
