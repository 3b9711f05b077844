import * as z from 'zod/mini';

import { TRANSLATION_LANGUAGES } from '#domain/language/language.ts';
import { mapTranslatedFields } from '#domain/profile-field.ts';
import { fieldSchema } from '#domain/profile.ts';

import { ownerCall, replyText } from './endpoint.ts';
import type { Reply } from './endpoint.ts';

const translationsReply = z.object({
  translations: z.array(
    z.object({ language: z.enum(TRANSLATION_LANGUAGES), ...mapTranslatedFields(() => replyText) }),
  ),
});

const etagHeader = { ETag: 'The version of the translations' };

export const getTranslations = ownerCall({
  method: 'GET',
  path: '/user/:id/translations',
  summary: 'The texts of the card in other languages, as far as LANGUAGES has them',
  replyHeaders: etagHeader,
  reply: translationsReply,
});

export type TranslationsReply = Reply<typeof getTranslations>;

export const updateTranslations = ownerCall({
  path: '/user/:id/translations',
  summary:
    'Replace them all; an empty or absent text shows that of the card. Those of other languages stay',
  body: z.object({
    translations: z
      .array(
        z.object({
          language: z.enum(TRANSLATION_LANGUAGES, 'must be one of LANGUAGES'),
          ...mapTranslatedFields((name) => z._default(fieldSchema(name), '')),
        }),
        'must be a list',
      )
      .check(
        z.maxLength(TRANSLATION_LANGUAGES.length, { error: 'has too many languages', abort: true }),
        z.refine(
          (translations) =>
            new Set(translations.map(({ language }) => language)).size === translations.length,
          'must have each language once',
        ),
      ),
  }),
  requestHeaders: { 'If-Match': 'The ETag that was read; 412 if it is another one by now' },
  replyHeaders: etagHeader,
  reply: translationsReply,
});
