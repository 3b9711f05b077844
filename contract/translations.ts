import * as z from 'zod/mini';

import { TRANSLATIONS } from '#domain/language/language.ts';
import { mapFaceFields } from '#domain/profile-field.ts';
import { fieldSchema } from '#domain/profile.ts';

import { endpoint, replyText, userParams } from './endpoint.ts';
import type { Reply } from './endpoint.ts';

const facesReply = z.object({
  faces: z.array(z.object({ language: z.enum(TRANSLATIONS), ...mapFaceFields(() => replyText) })),
});

const etag = { ETag: 'The version of the faces' };

export const getFaces = endpoint({
  method: 'GET',
  path: '/user/:id/faces',
  summary: 'The texts of the card in other languages, as far as LANGUAGES has them',
  params: userParams,
  replyHeaders: etag,
  reply: facesReply,
});

export type FacesReply = Reply<typeof getFaces>;

export const updateFaces = endpoint({
  method: 'POST',
  path: '/user/:id/faces',
  summary:
    'Replace them all; an empty or absent text shows that of the card. Those of other languages stay',
  params: userParams,
  body: z.object({
    faces: z
      .array(
        z.object({
          language: z.enum(TRANSLATIONS, 'must be one of LANGUAGES'),
          ...mapFaceFields((name) => z._default(fieldSchema(name), '')),
        }),
        'must be a list',
      )
      .check(
        z.maxLength(TRANSLATIONS.length, { error: 'has too many languages', abort: true }),
        z.refine(
          (faces) => new Set(faces.map(({ language }) => language)).size === faces.length,
          'must have each language once',
        ),
      ),
  }),
  requestHeaders: { 'If-Match': 'The ETag that was read; 412 if it is another one by now' },
  replyHeaders: etag,
  reply: facesReply,
});
