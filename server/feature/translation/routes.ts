import type { FastifyReply } from 'fastify';

import { getTranslations, updateTranslations } from '#contract/translations.ts';
import type { AppContext } from '#server/context.ts';
import { sessionInvalidError } from '#server/error.ts';
import { permittedVersions, route, versionEtag } from '#server/http/route.ts';

import {
  changeTranslations,
  checkTranslations,
  findTranslations,
  translationLanguages,
} from './store.ts';
import type { VersionedTranslations } from './store.ts';

export function translationsRoutes(context: AppContext): void {
  const { settings, cards } = context;
  const { database } = cards;
  const languages = translationLanguages(settings);

  const replyWithVersion = (
    { translations, version }: VersionedTranslations,
    reply: FastifyReply,
  ) => {
    void reply.header('etag', versionEtag(version));
    return {
      translations: languages.flatMap((language) => {
        const translation = translations[language];
        return translation ? [{ language, ...translation }] : [];
      }),
    };
  };

  route(context, getTranslations, async ({ caller, reply }) => {
    const found = await findTranslations(database, caller.userId);
    if (!found) throw sessionInvalidError();
    return replyWithVersion(found, reply);
  });

  route(context, updateTranslations, async ({ body: { translations }, caller, request, reply }) => {
    const { userId } = caller;
    await checkTranslations(database, { ...settings, userId, translations });
    const versions = permittedVersions(request.headers['if-match']);
    const change = { userId, translations, languages, versions };
    return replyWithVersion(await changeTranslations(cards, change), reply);
  });
}
