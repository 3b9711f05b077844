import { useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import { getTranslations, updateTranslations } from '#contract/translations.ts';
import type { TranslationLanguage } from '#domain/language/language.ts';
import { PATHS } from '#domain/path.ts';
import {
  TRANSLATED_FIELD_NAMES,
  cleanFieldInput,
  mapTranslatedFields,
} from '#domain/profile-field.ts';
import { EMPTY_TRANSLATION, hasText } from '#domain/translation.ts';
import type { Translation, TranslationTexts } from '#domain/translation.ts';
import { call } from '#web/shared/http/call.ts';
import { ownerQuery, saveOver } from '#web/shared/http/query.ts';
import { useUnsavedGuard, useKeptDraft } from '#web/shared/profile/draft.ts';
import { alertSaveFailure } from '#web/shared/profile/profile.ts';

export type TranslationDraft = Readonly<Partial<Record<TranslationLanguage, TranslationTexts>>>;

export const translationsQuery = () => ownerQuery(getTranslations);

const findIn = (translations: readonly Translation[], language: TranslationLanguage) =>
  translations.find((translation) => translation.language === language);

/** What was typed in each language, in the form that is sent. */
const typedTranslations = (draft: TranslationDraft): Translation[] =>
  Object.entries(draft).map(([language, texts]) => ({
    language: language as TranslationLanguage,
    ...mapTranslatedFields((name) => cleanFieldInput(name, texts[name])),
  }));

interface Save {
  readonly changed: readonly Translation[];
  /** At the time. */
  readonly draft: TranslationDraft;
  /** What 'Undo' brings back afterwards. */
  readonly removed?: Translation;
}

/** What was typed in each language stays until it is saved. */
export function useTranslations(
  userId: string,
  translations: readonly Translation[],
  stored: TranslationDraft | null,
) {
  const [draft, setDraft] = useState(stored ?? {});
  const hasUnsaved = typedTranslations(draft).some((translation) => {
    const saved = findIn(translations, translation.language) ?? EMPTY_TRANSLATION;
    return TRANSLATED_FIELD_NAMES.some((name) => translation[name] !== saved[name]);
  });
  const save = useMutation({
    mutationFn: ({ changed }: Save) =>
      saveOver(translationsQuery(), (newest, options) => {
        const others = newest.translations.filter(({ language }) => !findIn(changed, language));
        const body = { translations: [...others, ...changed.filter(hasText)] };
        return call(updateTranslations, { body }, options);
      }),
    onSuccess: (_, sent) => {
      // What was typed meanwhile stays.
      const isSent = ([language, texts]: [string, TranslationTexts]) =>
        findIn(sent.changed, language as TranslationLanguage) &&
        sent.draft[language as TranslationLanguage] === texts;
      setDraft((now) => Object.fromEntries(Object.entries(now).filter((one) => !isSent(one))));
    },
    onError: alertSaveFailure,
  });
  const start = (changed: readonly Translation[], removed?: Translation) => {
    if (!save.isPending) save.mutate({ changed, draft, ...(removed && { removed }) });
  };
  const discard = () => {
    save.reset();
    setDraft({});
  };
  useUnsavedGuard({ path: PATHS.translations, hasUnsaved, isKept: true, onDiscard: discard });

  const textsOf = (language: TranslationLanguage): TranslationTexts =>
    draft[language] ?? findIn(translations, language) ?? EMPTY_TRANSLATION;
  const removed = save.isSuccess ? save.variables.removed : undefined;
  return {
    isSaving: save.isPending,
    hasUnsaved,
    message: save.isSuccess && !hasUnsaved ? (removed ? 'Removed' : 'Saved') : '',
    failure: save.isError ? save.error.message : '',
    isElsewhere: useKeptDraft('translations', userId, hasUnsaved ? draft : null),
    discard,
    textsOf,
    isStored: (language: TranslationLanguage) => findIn(translations, language) !== undefined,
    change: (language: TranslationLanguage, texts: Partial<TranslationTexts>) =>
      setDraft((now) => ({ ...now, [language]: { ...textsOf(language), ...texts } })),
    save: () => start(typedTranslations(draft)),
    remove: (language: TranslationLanguage) =>
      start([{ language, ...EMPTY_TRANSLATION }], { language, ...textsOf(language) }),
    undo: removed && (() => start([removed])),
  };
}

export type TranslationsForm = ReturnType<typeof useTranslations>;
