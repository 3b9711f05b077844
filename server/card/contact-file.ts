import { userIdSchema } from '#domain/identifier.ts';
import { contactFileName, writeVcard } from '#domain/vcard.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { AppContext } from '#server/context.ts';
import { findProfile } from '#server/profile/store.ts';

import { dialledPhone } from './dialled-phone.ts';

/** The contact file behind Save: by address, since a file made in the browser fails on phones. */
export function contactFileRoutes({ fastify, dependencies, readRateLimit }: AppContext): void {
  fastify.get<{ Params: { userID: string } }>(
    '/user/:userID/contact.vcf',
    async (request, reply) => {
      readRateLimit.count(request);
      const userId = userIdSchema.safeParse(request.params.userID);
      const profile = userId.success ? await findProfile(dependencies.database, userId.data) : null;
      if (!profile) throw new ApiError('not_found', 'There is no such card.');
      return reply
        .header('content-type', 'text/vcard; charset=utf-8')
        .header('content-disposition', dispositionOf(profile.name))
        .header('cache-control', 'no-cache')
        .header('x-robots-tag', 'noindex')
        .send(writeVcard({ ...profile, phone: dialledPhone(profile.phone) }));
    },
  );
}

/** RFC 6266: a plain name for old clients, the person's for the rest (RFC 8187). */
function dispositionOf(name: string): string {
  const encoded = encodeURIComponent(contactFileName(name)).replace(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="card.vcf"; filename*=UTF-8''${encoded}`;
}
