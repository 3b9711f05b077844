import { useMemo } from 'react';
import { useMutation } from '@tanstack/react-query';

import { getTranslations, updateTranslations } from '#contract/translations.ts';
import { TRANSLATION_LANGUAGES } from '#domain/language/language.ts';
import type { TranslationLanguage } from '#domain/language/language.ts';
import { PATHS } from '#domain/path.ts';
import { cleanFieldInput, mapTranslatedFields } from '#domain/profile-field.ts';
import { mapNames } from '#domain/record.ts';
import { EMPTY_TRANSLATION, hasText } from '#domain/translation.ts';
import type { Translation, TranslationTexts } from '#domain/translation.ts';
import { call } from '#web/shared/http/call.ts';
import { ownerQuery, saveWithRetry } from '#web/shared/http/query.ts';
import type { StoredDraft } from '#web/shared/http/storage.ts';
import { applyChanges, omitEqual } from '#web/shared/http/changes.ts';
import { isSameInProfile, useDraft, useUnsavedGuard } from '#web/shared/profile/draft.ts';
import { alertSaveFailure } from '#web/shared/profile/profile.ts';

export type TranslationDraft = Readonly<
  Partial<Record<TranslationLanguage, Partial<TranslationTexts>>>
>;

export const translationsQuery = () => ownerQuery(getTranslations);

/** Returns the texts of every language. A text is empty if there is no translation. */
const textsByLanguage = (translations: readonly Translation[]) =>
  mapNames(TRANSLATION_LANGUAGES, (one): TranslationTexts => {
    const found = translations.find(({ language }) => language === one);
    return mapTranslatedFields((name) => found?.[name] ?? '');
  });

function saveChanges(changes: TranslationDraft): Promise<void> {
  return saveWithRetry(translationsQuery(), (newest, options) => {
    const texts = applyChanges(textsByLanguage(newest.translations), changes);
    const translations = TRANSLATION_LANGUAGES.map((language) => ({
      language,
      ...mapTranslatedFields((name) => cleanFieldInput(name, texts[language][name])),
    }));
    return call(
      updateTranslations,
      { body: { translations: translations.filter(hasText) } },
      options,
    );
  });
}

interface SaveRequest {
  readonly changes: TranslationDraft;
  /** The typed texts that no longer count as unsaved after the save. */
  readonly settled: TranslationDraft;
  /** The removed texts, which 'Undo' restores. */
  readonly removed?: TranslationDraft;
}

/** Keeps what was typed in each language until it is saved. */
export function useTranslations(
  userId: string,
  translations: readonly Translation[],
  stored: StoredDraft<TranslationDraft>,
) {
  const saved = useMemo(() => textsByLanguage(translations), [translations]);
  const draft = useDraft('translations', userId, { stored, saved, isSame: isSameInProfile });
  const { typed, changes, hasUnsaved, settle } = draft;
  const save = useMutation({
    mutationFn: (request: SaveRequest) => saveChanges(request.changes),
    onSuccess: (_, request) => settle(request.settled),
    onError: alertSaveFailure,
  });
  const startSave = (request: SaveRequest) => {
    if (!save.isPending) save.mutate(request);
  };
  const discard = () => {
    save.reset();
    draft.discard();
  };
  useUnsavedGuard({ path: PATHS.translations, hasUnsaved, isKept: true, onDiscard: discard });

  const current = applyChanges(saved, typed);
  const removed = save.isSuccess ? save.variables.removed : undefined;
  return {
    isSaving: save.isPending,
    hasUnsaved,
    message: save.isSuccess && !hasUnsaved ? (removed ? 'Removed' : 'Saved') : '',
    failure: save.isError ? save.error.message : '',
    hasDraftElsewhere: draft.hasDraftElsewhere,
    discard,
    textsOf: (language: TranslationLanguage) => current[language],
    isStored: (language: TranslationLanguage) => hasText(saved[language]),
    change: (language: TranslationLanguage, texts: Partial<TranslationTexts>) =>
      draft.change({ [language]: texts }),
    save: () => startSave({ changes, settled: changes }),
    remove: (language: TranslationLanguage) => {
      const texts = omitEqual({ ...current[language] }, EMPTY_TRANSLATION);
      startSave({
        changes: { [language]: EMPTY_TRANSLATION },
        settled: { [language]: typed[language] ?? {} },
        removed: { [language]: texts },
      });
    },
    undo: removed && (() => startSave({ changes: removed, settled: removed })),
  };
}

export type TranslationsForm = ReturnType<typeof useTranslations>;
