import { useState } from 'react';

import { API_ERRORS } from '#contract/api-error.ts';
import { getFaces, updateFaces } from '#contract/faces.ts';
import type { FacesReply } from '#contract/faces.ts';
import { EMPTY_FACE, hasText } from '#domain/face.ts';
import type { Face, FaceTexts } from '#domain/face.ts';
import type { Translation } from '#domain/language/language.ts';
import { PATHS } from '#domain/path.ts';
import { FACE_FIELD_NAMES, cleanFieldInput, mapFaceFields } from '#domain/profile-field.ts';
import { FORBIDDEN_STATUS, OK_STATUS, call } from '#web/shared/http/call.ts';
import { useUnsavedGuard } from '#web/shared/ui/unsaved-guard.ts';
import { alertSaveFailure } from '#web/shared/profile/save-profile.ts';
import { endSession } from '#web/shared/profile/session-end.ts';
import { versionTag } from '#web/shared/profile/version-tag.ts';

const QUESTION = 'Leave without saving? What you changed will be lost.';
const SAVED = 'Saved';
const REMOVED = 'Removed';
const NOT_SAVED = 'Not saved. Check your connection, then try again.';

export interface LoadedFaces extends FacesReply {
  readonly etag: string | undefined;
}

type Drafts = Readonly<Partial<Record<Translation, FaceTexts>>>;

const findFace = (faces: readonly Face[], language: Translation) =>
  faces.find((face) => face.language === language);

/** Once more if they were saved elsewhere: what was changed here replaces the newest ones. */
async function send(userId: string, { faces, etag }: LoadedFaces, changed: readonly Face[]) {
  const params = { id: userId };
  const sendTo = (newest: readonly Face[], ifMatch: string | undefined) => {
    const others = newest.filter(({ language }) => !findFace(changed, language));
    const body = { faces: [...others, ...changed.filter(hasText)] };
    return call(updateFaces, { params, body }, { ifMatch, isSave: true });
  };
  const result = await sendTo(faces, etag);
  if (result.status !== API_ERRORS.precondition_failed) return result;
  const { body, headers } = await call(getFaces, { params });
  return body ? sendTo(body.faces, versionTag(headers)) : result;
}

/** What was typed in each language stays until it is saved. */
export function useFaces(userId: string, loaded: LoadedFaces) {
  const [{ faces, etag }, setStored] = useState(loaded);
  const [drafts, setDrafts] = useState<Drafts>({});
  const [message, setMessage] = useState('');
  const [isSaving, setSaving] = useState(false);
  /** What 'Undo' brings back. */
  const [removed, setRemoved] = useState<Face | null>(null);

  const typed = Object.entries(drafts).map(([language, texts]) => ({
    language: language as Translation,
    ...mapFaceFields((name) => cleanFieldInput(name, texts[name])),
  }));
  const hasUnsaved = typed.some((face) => {
    const saved = findFace(faces, face.language) ?? EMPTY_FACE;
    return FACE_FIELD_NAMES.some((name) => face[name] !== saved[name]);
  });
  useUnsavedGuard({ path: PATHS.faces, hasUnsaved, question: QUESTION });

  const save = async (changed: readonly Face[], success: string) => {
    if (isSaving) return false;
    setSaving(true);
    setMessage('');
    const { status, body, headers } = await send(userId, { faces, etag }, changed);
    setSaving(false);
    const isSaved = status === OK_STATUS && body !== null;
    setMessage(isSaved ? success : NOT_SAVED);
    alertSaveFailure(status);
    if (status === FORBIDDEN_STATUS) void endSession();
    if (!isSaved) return false;
    setStored({ ...body, etag: versionTag(headers) });
    // What was typed meanwhile stays.
    const isSent = (language: string, texts: FaceTexts) =>
      drafts[language as Translation] === texts && findFace(changed, language as Translation);
    setDrafts((newest) =>
      Object.fromEntries(Object.entries(newest).filter(([key, texts]) => !isSent(key, texts))),
    );
    return true;
  };

  const textsOf = (language: Translation): FaceTexts =>
    drafts[language] ?? findFace(faces, language) ?? EMPTY_FACE;
  return {
    message,
    isSaving,
    hasUnsaved,
    canUndo: removed !== null,
    textsOf,
    isStored: (language: Translation) => findFace(faces, language) !== undefined,
    change: (language: Translation, texts: Partial<FaceTexts>) => {
      setMessage('');
      setDrafts({ ...drafts, [language]: { ...textsOf(language), ...texts } });
    },
    save: async () => {
      if (await save(typed, SAVED)) setRemoved(null);
    },
    remove: async (language: Translation) => {
      const face = { language, ...textsOf(language) };
      if (await save([{ language, ...EMPTY_FACE }], REMOVED)) setRemoved(face);
    },
    undo: async () => {
      if (removed && (await save([removed], SAVED))) setRemoved(null);
    },
  };
}
