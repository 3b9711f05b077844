import { useState } from 'react';
import type { FormEvent } from 'react';

import { useMutation } from '@tanstack/react-query';

import { PATHS } from '#domain/path.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { useUnsavedGuard } from '#web/shared/ui/unsaved-guard.ts';
import {
  applyChanges,
  effectiveChanges,
  hasChanges,
  useKeptDraft,
} from '#web/shared/profile/draft.ts';
import type { EditDraft, ExtraTexts } from '#web/shared/profile/draft.ts';
import { alertSaveFailure, saveProfile } from '#web/shared/profile/profile.ts';
import { showAlert } from '#web/shared/http/report.ts';

import { useExtras } from './use-extras.ts';

const SAVED = 'Data updated successfully';
const QUESTION = 'Leave without saving? What you changed will be lost.';

const NOTHING: EditDraft = { profile: {}, extras: {} };

export function useEdit(profile: Profile, stored: EditDraft | null) {
  const { _id: userId } = profile;
  const [draft, setDraft] = useState(stored ?? NOTHING);
  const extras = useExtras(draft.extras);
  const hasUnsaved = hasChanges(profile, draft.profile) || extras.hasUnsaved;
  const save = useMutation({
    mutationFn: async (sent: EditDraft) => {
      const changes = effectiveChanges(profile, sent.profile);
      await saveProfile((newest) => applyChanges(newest, changes));
      return extras.save();
    },
    onSuccess: (isComplete, sent) => {
      if (isComplete) onSaved(sent);
    },
    onError: alertSaveFailure,
  });
  const onSaved = (sent: EditDraft) => {
    // What was typed meanwhile stays.
    setDraft((now) => (now === sent ? NOTHING : now));
    showAlert(SAVED);
  };
  const discard = () => {
    save.reset();
    setDraft(NOTHING);
  };
  useUnsavedGuard({
    path: PATHS.edit,
    hasUnsaved,
    isKept: true,
    question: QUESTION,
    onDiscard: discard,
  });

  return {
    card: applyChanges(profile, draft.profile),
    extras,
    hasUnsaved,
    isElsewhere: useKeptDraft('edit', userId, hasUnsaved ? draft : null),
    isSaving: save.isPending,
    failure: hasUnsaved && save.isError ? save.error.message : '',
    discard,
    change: (changes: ProfileChange) =>
      setDraft((now) => ({ ...now, profile: { ...now.profile, ...changes } })),
    changeExtras: (texts: ExtraTexts) =>
      setDraft((now) => ({ ...now, extras: { ...now.extras, ...texts } })),
    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const wrong = extras.findProblem();
      const field = wrong && event.currentTarget.elements.namedItem(`extra-${wrong}`);
      if (field instanceof HTMLElement) field.focus();
      else if (!save.isPending) save.mutate(draft);
    },
    onUpiConfirmed: () => onSaved(draft),
  };
}

export type EditForm = ReturnType<typeof useEdit>;
