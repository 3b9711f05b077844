import { uploadLogo } from '#contract/appearance.ts';
import { bringIn, bringInContacts } from '#contract/bring-in.ts';
import { findContacts, saveTemplates } from '#contract/contacts-view.ts';
import type { Reply } from '#contract/endpoint.ts';
import { getExtras } from '#contract/extras.ts';
import { getTranslations } from '#contract/translations.ts';
import { DEFAULT_APPEARANCE } from '#domain/appearance.ts';
import { EXTRAS, EXTRA_FIELDS } from '#domain/extras.ts';
import { isBlank } from '#domain/invisible.ts';
import { TRANSLATION_LANGUAGES, languageName } from '#domain/language/language.ts';
import { NETWORKS } from '#domain/network.ts';
import { PROFILE_FIELD_NAMES, TRANSLATED_FIELD_NAMES } from '#domain/profile-field.ts';
import { CallError, OK_STATUS, send } from '#web/shared/http/call.ts';
import { queryClient } from '#web/shared/http/query.ts';
import { isLocked, settings } from '#web/shared/http/settings.ts';
import { uploadPhoto } from '#web/shared/photo/upload.ts';
import { appearanceQuery, isAppearanceUnchosen } from '#web/shared/profile/card.ts';
import { profileQuery } from '#web/shared/profile/profile.ts';

import type { Archive } from './archive.ts';

export { openArchive } from './archive.ts';

/** Returns a sentence about what this server has no place for, or ''. */
export function missingHere({ card: { extras = {}, translations = [] } }: Archive): string {
  const { cardExtras = [], languages = [] } = settings();
  const names = [
    ...EXTRAS.filter((extra) => extras[extra] && !cardExtras.includes(extra)).map(
      (extra) => EXTRA_FIELDS[extra].label,
    ),
    ...translations
      .filter(({ language }) => !languages.includes(language))
      .map(({ language }) => languageName(language)),
  ];
  return names.length === 0
    ? ''
    : `This service doesn't offer ${names.join(', ')}, so we'll leave that out.`;
}

type Values<Value> = Readonly<Partial<Record<string, Value>>>;

/** Returns the changes to send. A field that is filled on this server is left out unless `isReplaced` is true. */
async function chooseChanges({ card: brought, photo, logo }: Archive, isReplaced: boolean) {
  const { card = {}, extras = {}, translations = [], look } = brought;
  const { cardExtras = [], languages = [] } = settings();
  const isFree = (here: unknown) =>
    isReplaced || (typeof here === 'string' ? isBlank(here) : (here ?? null) === null);
  const choose = <Value>(
    names: readonly string[],
    values: Values<Value> = {},
    here: Values<unknown> = {},
  ) =>
    Object.fromEntries(
      names
        .filter((name) => values[name] && isFree(here[name]))
        .map((name) => [name, values[name]]),
    );

  const { body: profile } = await queryClient.query({ ...profileQuery(), staleTime: 0 });
  const appearance = await queryClient.query({ ...appearanceQuery(), staleTime: 0 });
  const isLookFree = !isLocked('appearance');
  const isLookChosen = look && look.palette !== DEFAULT_APPEARANCE.palette;
  const ownExtras = cardExtras.length > 0 ? (await send(getExtras)).body : {};
  const own = languages.length > 0 ? (await send(getTranslations)).body.translations : [];
  const names = TRANSLATED_FIELD_NAMES.filter((name) => !isLocked(name));
  const merged = TRANSLATION_LANGUAGES.flatMap((language) => {
    const [here, there] = [own, translations].map((list) =>
      list.find((one) => one.language === language),
    );
    if (!languages.includes(language) || !(here ?? there)) return [];
    return [{ ...here, language, ...choose(names, there, here) }];
  });
  return {
    body: {
      card: {
        ...choose(PROFILE_FIELD_NAMES, { ...card }, profile),
        socialMediaHandles: choose(NETWORKS, card.socialMediaHandles, profile.socialMediaHandles),
      },
      extras: choose(cardExtras, extras, ownExtras),
      ...(languages.length > 0 && { translations: merged }),
      ...(isLookFree &&
        isLookChosen &&
        (isReplaced || isAppearanceUnchosen(appearance)) && { look }),
    },
    photo: isFree(profile.profilePhoto) && !isLocked('photo', profile.profilePhoto) ? photo : null,
    logo: isFree(appearance.body.logo) && isLookFree ? logo : null,
  };
}

const COUNTS = ['added', 'known', 'removed'] as const;

export type Outcome = Reply<typeof bringInContacts>;

/**
 * Returns a function that brings an archive in, and tells how many contacts are done. After a failure of a part,
 * it goes on with that part. Rejects with a sentence.
 */
export function createBringIn(archive: Archive, onProgress: (done: number) => void) {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const outcome = { added: 0, known: 0, removed: 0 };
  let [usedToken, ticket, sentParts] = ['', '', 0];
  let pictures: Pictures = { photo: null, logo: null };
  let templates: Archive['templates'] = [];

  return async (token: string, isReplaced: boolean): Promise<Outcome> => {
    // After the ticket has expired, the owner verifies the login phone again, which gives another token.
    if (token !== usedToken) {
      const { body, ...chosen } = await chooseChanges(archive, isReplaced);
      ({ ticket } = (await send(bringIn, { body: { token, ...body } }, { isSave: true })).body);
      [usedToken, pictures, templates] = [token, chosen, archive.templates];
    }
    await bringInTemplates(templates, isReplaced);
    templates = [];
    await uploadPictures(pictures);
    pictures = { photo: null, logo: null };
    let index = 0;
    await archive.readParts(async (contacts) => {
      index += 1;
      if (index <= sentParts) return;
      const { body } = await send(bringInContacts, { body: { ticket, timeZone, contacts } });
      sentParts = index;
      for (const count of COUNTS) outcome[count] += body[count];
      onProgress(outcome.added + outcome.known + outcome.removed);
    });
    await queryClient.invalidateQueries();
    return outcome;
  };
}

/** Message templates belong to the Contacts view. Those of this server stay unless `isReplaced` is true. */
async function bringInTemplates(templates: Archive['templates'], isReplaced: boolean) {
  if (templates.length === 0 || !settings().views.includes('contacts')) return;
  const { body } = await send(findContacts, { body: {} });
  if (body.templates.length > 0 && !isReplaced) return;
  await send(saveTemplates, { body: { templates: [...templates] } }, { isSave: true });
}

type Pictures = Pick<Archive, 'photo' | 'logo'>;

async function uploadPictures({ photo, logo }: Pictures) {
  if (photo) {
    const result = await uploadPhoto(photo);
    if (result.status !== OK_STATUS) throw new CallError(result);
  }
  if (!logo) return;
  const form = new FormData();
  form.append('image', logo, 'logo.webp');
  await send(uploadLogo, {}, { form, isSave: true });
}
