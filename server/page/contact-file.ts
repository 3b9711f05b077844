import { userIdSchema } from '#domain/identifier.ts';
import { contactFileName, writeVcard } from '#domain/vcard.ts';
import { Fault } from '#server/http/fault.ts';
import type { House } from '#server/http/route.ts';
import { findProfile } from '#server/user/store.ts';

import { dialledPhone } from './dialled-phone.ts';

/** The contact file behind Save: by address, since a file made in the browser fails on phones. */
export function contactFileRoutes({ fastify, parts, reading }: House): void {
  fastify.get<{ Params: { userID: string } }>(
    '/user/:userID/contact.vcf',
    async (request, reply) => {
      reading.count(request);
      const userId = userIdSchema.safeParse(request.params.userID);
      const profile = userId.success ? await findProfile(parts.database, userId.data) : null;
      if (!profile) throw new Fault('not_found', 'There is no such card.');
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
