import { userIdSchema } from '#domain/identifier.ts';
import type { Profile } from '#domain/profile.ts';
import { cardPath } from '#domain/share.ts';
import { contactFileName, writeVcard } from '#domain/vcard.ts';
import type { AppContext } from '#server/context.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { sendFinished } from '#server/http/send.ts';
import { cardNotFoundError } from './not-found.ts';
import { toE164 } from '#server/profile/phone.ts';
import { findProfile } from '#server/profile/store.ts';

const ROUTE = '/user/:userID/contact.vcf';

/**
 * Registers the route of the vCard that the Save button opens. The file needs a URL, because phones
 * do not open files that a script creates.
 */
export function contactFileRoutes(context: AppContext): void {
  const { fastify, dependencies, responses, readRateLimit } = context;
  fastify.get<{ Params: { userID: string } }>(ROUTE, async (request, reply) => {
    readRateLimit.countOrThrow(request);
    const userId = request.params.userID;
    if (!userIdSchema.safeParse(userId).success) throw cardNotFoundError();
    const path = `${cardPath(userId)}/contact.vcf`;
    const file = await responses.getOrRender({ userId, path, route: ROUTE }, async () => {
      const profile = await findProfile(dependencies.database, userId);
      return profile && contactFile(profile);
    });
    if (!file) throw cardNotFoundError();
    return sendFinished(request, reply, file);
  });
}

function contactFile(profile: Profile): FinishedResponse {
  return new FinishedResponse({
    body: writeVcard({ ...profile, phone: toE164(profile.phone) }),
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
