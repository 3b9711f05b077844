import { uploadLogo } from '#contract/appearance.ts';
import { bringIn, bringInContacts } from '#contract/bring-in.ts';
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

import { partsOf } from './archive.ts';
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

/** Returns the changes to send. A field that is filled on this server is left out unless `isReplaced` is true. */
async function chooseChanges({ card, photo, logo }: Archive, isReplaced: boolean) {
  const { cardExtras = [], languages = [] } = settings();
  const isFree = (here: string | null | undefined) => isReplaced || isBlank(here ?? '');
  const [{ body: profile }, look] = [
    await queryClient.query({ ...profileQuery(), staleTime: 0 }),
    await queryClient.query({ ...appearanceQuery(), staleTime: 0 }),
  ];
  const handles = card.card?.socialMediaHandles ?? {};
  const names = PROFILE_FIELD_NAMES.filter((name) => card.card?.[name] && isFree(profile[name]));
  const networks = NETWORKS.filter(
    (one) => handles[one] && isFree(profile.socialMediaHandles[one]),
  );
  const here = cardExtras.length > 0 ? (await send(getExtras)).body : null;
  const extras = cardExtras.filter((extra) => {
    const filled = here?.[extra];
    return card.extras?.[extra] && (isReplaced || filled === null);
  });
  const isLookFree = !isLocked('appearance');
  const isLookChosen = card.look && card.look.palette !== DEFAULT_APPEARANCE.palette;
  return {
    body: {
      card: {
        ...Object.fromEntries(names.map((name) => [name, card.card?.[name]])),
        socialMediaHandles: Object.fromEntries(networks.map((one) => [one, handles[one]])),
      },
      extras: Object.fromEntries(extras.map((extra) => [extra, card.extras?.[extra]])),
      ...(languages.length > 0 && { translations: await mergeTranslations(card, isFree) }),
      ...(isLookFree &&
        isLookChosen &&
        (isReplaced || isAppearanceUnchosen(look)) && { look: card.look }),
    },
    photo: isFree(profile.profilePhoto) && !isLocked('photo', profile.profilePhoto) ? photo : null,
    logo: isFree(look.body.logo) && isLookFree ? logo : null,
  };
}

async function mergeTranslations({ translations = [] }: Archive['card'], isFree: IsFree) {
  const { body } = await send(getTranslations);
  const { languages = [] } = settings();
  return TRANSLATION_LANGUAGES.filter((language) => languages.includes(language)).flatMap(
    (language) => {
      const here = body.translations.find((one) => one.language === language);
      const brought = translations.find((one) => one.language === language);
      if (!here && !brought) return [];
      const texts = TRANSLATED_FIELD_NAMES.map((name) => {
        const text = here?.[name] ?? '';
        return [name, isFree(text) && !isLocked(name) ? brought?.[name] || text : text];
      });
      return [{ language, ...(Object.fromEntries(texts) as Record<string, string>) }];
    },
  );
}

type IsFree = (here: string | null | undefined) => boolean;

export interface Outcome {
  readonly added: number;
  readonly known: number;
  readonly removed: number;
}

/**
 * Returns a function that brings an archive in, and tells how many contacts are done. After a failure of a part,
 * it goes on with that part. Rejects with a sentence.
 */
export function createBringIn(archive: Archive, onProgress: (done: number) => void) {
  const parts = partsOf(archive);
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const outcome = { added: 0, known: 0, removed: 0 };
  let ticket: string | null = null;
  let pictures: { photo: Blob | null; logo: Blob | null } = { photo: null, logo: null };
  let part: Awaited<ReturnType<typeof parts.next>> | null = null;

  return async (token: string, isReplaced: boolean): Promise<Outcome> => {
    if (ticket === null) {
      const { body, ...chosen } = await chooseChanges(archive, isReplaced);
      ticket = (await send(bringIn, { body: { token, ...body } }, { isSave: true })).body.ticket;
      pictures = chosen;
    }
    await uploadPictures(pictures);
    pictures = { photo: null, logo: null };
    for (;;) {
      part ??= await parts.next();
      if (part.done) break;
      const contacts = part.value;
      const { body } = await send(bringInContacts, {
        body: { ticket, timeZone, contacts },
      }).catch((error: unknown) => {
        const isExpired = error instanceof CallError;
        if (isExpired && error.error?.error === 'verification_required') ticket = null;
        throw error;
      });
      part = null;
      for (const key of ['added', 'known', 'removed'] as const) outcome[key] += body[key];
      onProgress(outcome.added + outcome.known + outcome.removed);
    }
    await queryClient.invalidateQueries();
    return outcome;
  };
}

async function uploadPictures({ photo, logo }: { photo: Blob | null; logo: Blob | null }) {
  if (photo) {
    const result = await uploadPhoto(photo);
    if (result.status !== OK_STATUS) throw new CallError(result);
  }
  if (!logo) return;
  const form = new FormData();
  form.append('image', logo, 'logo.webp');
  await send(uploadLogo, {}, { form, isSave: true });
}
