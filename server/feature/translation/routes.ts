import type { FastifyReply } from 'fastify';

import { getTranslations, updateTranslations } from '#contract/translations.ts';
import { TRANSLATED_FIELD_NAMES } from '#domain/profile-field.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError, fieldLockedError, sessionInvalidError } from '#server/error.ts';
import { permittedVersions, route, versionEtag } from '#server/http/route.ts';

import { changeTranslations, findTranslations } from './store.ts';
import type { VersionedTranslations } from './store.ts';

export function translationsRoutes(context: AppContext): void {
  const { settings, cards } = context;
  const { database } = cards;
  const languages = settings.languages.filter((language) => language !== 'en');

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
    const other = translations.findIndex(({ language }) => !languages.includes(language));
    if (other >= 0)
      throw new ApiError(
        'invalid_input',
        `translations.${other}.language must be one of LANGUAGES`,
      );
    const locked = TRANSLATED_FIELD_NAMES.filter((name) => settings.lockedFields.has(name));
    if (locked.length > 0) {
      const stored = await findTranslations(database, userId);
      const isChanged = languages.some((language) => {
        const sent = translations.find((one) => one.language === language);
        const before = stored?.translations[language];
        return locked.some((name) => (sent?.[name] ?? '') !== (before?.[name] ?? ''));
      });
      if (isChanged) throw fieldLockedError();
    }
    const versions = permittedVersions(request.headers['if-match']);
    const change = { userId, translations, languages, versions };
    return replyWithVersion(await changeTranslations(cards, change), reply);
  });
}
