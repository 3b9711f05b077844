import { useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import { getFaces, updateFaces } from '#contract/translations.ts';
import { EMPTY_FACE, hasText } from '#domain/translation.ts';
import type { Face, FaceTexts } from '#domain/translation.ts';
import type { Translation } from '#domain/language/language.ts';
import { PATHS } from '#domain/path.ts';
import { FACE_FIELD_NAMES, cleanFieldInput, mapFaceFields } from '#domain/profile-field.ts';
import { call, send } from '#web/shared/http/call.ts';
import { ownerParams, ownerQuery, saveOver } from '#web/shared/http/query.ts';
import { useUnsavedGuard } from '#web/shared/ui/unsaved-guard.ts';
import { useKeptDraft } from '#web/shared/profile/draft.ts';
import { alertSaveFailure } from '#web/shared/profile/profile.ts';

const QUESTION = 'Leave without saving? What you changed will be lost.';

export type FaceDraft = Readonly<Partial<Record<Translation, FaceTexts>>>;

export const facesQuery = () => ownerQuery(getFaces, (params) => send(getFaces, { params }));

const findFace = (faces: readonly Face[], language: Translation) =>
  faces.find((face) => face.language === language);

/** What was typed in each language, in the form that is sent. */
const typedFaces = (draft: FaceDraft): Face[] =>
  Object.entries(draft).map(([language, texts]) => ({
    language: language as Translation,
    ...mapFaceFields((name) => cleanFieldInput(name, texts[name])),
  }));

interface Save {
  readonly changed: readonly Face[];
  /** At the time. */
  readonly draft: FaceDraft;
  /** What 'Undo' brings back afterwards. */
  readonly removed?: Face;
}

/** What was typed in each language stays until it is saved. */
export function useFaces(userId: string, faces: readonly Face[], stored: FaceDraft | null) {
  const [draft, setDraft] = useState(stored ?? {});
  const hasUnsaved = typedFaces(draft).some((face) => {
    const saved = findFace(faces, face.language) ?? EMPTY_FACE;
    return FACE_FIELD_NAMES.some((name) => face[name] !== saved[name]);
  });
  const save = useMutation({
    mutationFn: ({ changed }: Save) =>
      saveOver(facesQuery(), (newest, options) => {
        const others = newest.faces.filter(({ language }) => !findFace(changed, language));
        const body = { faces: [...others, ...changed.filter(hasText)] };
        return call(updateFaces, { params: ownerParams(), body }, options);
      }),
    onSuccess: (_, sent) => {
      // What was typed meanwhile stays.
      const isSent = ([language, texts]: [string, FaceTexts]) =>
        findFace(sent.changed, language as Translation) &&
        sent.draft[language as Translation] === texts;
      setDraft((now) => Object.fromEntries(Object.entries(now).filter((one) => !isSent(one))));
    },
    onError: alertSaveFailure,
  });
  const start = (changed: readonly Face[], removed?: Face) => {
    if (!save.isPending) save.mutate({ changed, draft, ...(removed && { removed }) });
  };
  const discard = () => {
    save.reset();
    setDraft({});
  };
  useUnsavedGuard({
    path: PATHS.faces,
    hasUnsaved,
    isKept: true,
    question: QUESTION,
    onDiscard: discard,
  });

  const textsOf = (language: Translation): FaceTexts =>
    draft[language] ?? findFace(faces, language) ?? EMPTY_FACE;
  const removed = save.isSuccess ? save.variables.removed : undefined;
  return {
    isSaving: save.isPending,
    hasUnsaved,
    message: save.isSuccess && !hasUnsaved ? (removed ? 'Removed' : 'Saved') : '',
    failure: save.isError ? save.error.message : '',
    isElsewhere: useKeptDraft('faces', userId, hasUnsaved ? draft : null),
    discard,
    textsOf,
    isStored: (language: Translation) => findFace(faces, language) !== undefined,
    change: (language: Translation, texts: Partial<FaceTexts>) =>
      setDraft((now) => ({ ...now, [language]: { ...textsOf(language), ...texts } })),
    save: () => start(typedFaces(draft)),
    remove: (language: Translation) =>
      start([{ language, ...EMPTY_FACE }], { language, ...textsOf(language) }),
    undo: removed && (() => start([removed])),
  };
}

export type FacesForm = ReturnType<typeof useFaces>;
