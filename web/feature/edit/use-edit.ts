import { useState } from 'react';
import type { FormEvent } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';

import { getAccount } from '#contract/account.ts';
import type { Account } from '#contract/account.ts';
import type { Reply } from '#contract/endpoint.ts';
import { getExtras, updateExtras } from '#contract/extras.ts';
import { NO_EXTRAS, cleanExtra, extraProblem, parseLinks } from '#domain/extras.ts';
import type { CardExtras, Extra } from '#domain/extras.ts';
import { PATHS } from '#domain/path.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { call, send } from '#web/shared/http/call.ts';
import { isSignedIn, ownerQuery, saveOver } from '#web/shared/http/query.ts';
import { showAlert } from '#web/shared/http/report.ts';
import { settings } from '#web/shared/http/settings.ts';
import { flushDraft } from '#web/shared/http/storage.ts';
import { verifyPath } from '#web/shared/otp/purpose.ts';
import {
  applyChanges,
  effectiveChanges,
  hasChanges,
  useKeptDraft,
  useUnsavedGuard,
} from '#web/shared/profile/draft.ts';
import type { EditDraft, ExtraTexts } from '#web/shared/profile/draft.ts';
import { alertSaveFailure, saveProfile } from '#web/shared/profile/profile.ts';

const SAVED = 'Data updated successfully';

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
  useUnsavedGuard({ path: PATHS.edit, hasUnsaved, isKept: true, onDiscard: discard });

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

const NONE: readonly Extra[] = [];

const extrasQuery = () => ownerQuery(getExtras, { isKept: true });

/** Returns the links as the draft has them, in JSON. */
const textsOf = ({ links, ...extras }: Reply<typeof getExtras>): CardExtras => ({
  ...extras,
  links: links && JSON.stringify(links),
});

/** The fields of 'More on your card' (docs/product.md#more-on-your-card). */
function useExtras(draft: ExtraTexts) {
  const names = settings().cardExtras ?? NONE;
  const query = useQuery({ ...extrasQuery(), enabled: () => names.length > 0 && isSignedIn() });
  /** The extras whose problem is shown. */
  const [checked, setChecked] = useState(NONE);
  /** While a new UPI ID is confirmed. */
  const [account, setAccount] = useState<Account | null>(null);
  const values = query.data ? textsOf(query.data.body) : NO_EXTRAS;
  const valueOf = (extra: Extra) => draft[extra] ?? values[extra] ?? '';
  const textOf = (extra: Extra) => cleanExtra(extra, valueOf(extra));
  const problemOf = (extra: Extra) => extraProblem(extra, textOf(extra));
  const changed = names.filter((extra) => textOf(extra) !== (values[extra] ?? ''));
  const shown = names.filter((extra) => textOf(extra) !== '' && problemOf(extra) === '');

  const saveThese = (extras: readonly Extra[], token?: string) => {
    const texts = Object.fromEntries(extras.map((extra) => [extra, textOf(extra)]));
    const links = extras.includes('links') && { links: [...parseLinks(textOf('links'))] };
    const body = { ...texts, ...links, token };
    return saveOver(extrasQuery(), (_, options) => call(updateExtras, { body }, options));
  };
  return {
    names,
    isLoaded: query.data !== undefined,
    isMissing: query.isLoadingError,
    load: () => void query.refetch(),
    hasUnsaved: changed.length > 0,
    valueOf,
    /** The extras as the card would show them. */
    card: { ...NO_EXTRAS, ...Object.fromEntries(shown.map((extra) => [extra, textOf(extra)])) },
    check: (extra: Extra) => setChecked((others) => [...others, extra]),
    shownProblem: (extra: Extra) => (checked.includes(extra) ? problemOf(extra) : ''),
    /** Shows all problems; returns the first field that has one. */
    findProblem: () => {
      setChecked(names);
      return changed.find((extra) => problemOf(extra) !== '');
    },
    /** Saves all but a new UPI ID. Returns whether there is none, and nothing is left to confirm. */
    save: async (): Promise<boolean> => {
      // The removal of a UPI ID needs no confirmation.
      const hasNewUpi = changed.includes('upi') && textOf('upi') !== '';
      const others = changed.filter((extra) => extra !== 'upi' || !hasNewUpi);
      if (others.length > 0) await saveThese(others);
      if (!hasNewUpi) return true;
      const { body } = await send(getAccount);
      if (body.verification === 'code') setAccount(body);
      else {
        await flushDraft();
        location.assign(verifyPath('upi'));
      }
      return false;
    },
    account,
    confirm: (token?: string) => saveThese(['upi'], token),
    closeConfirmation: () => setAccount(null),
  };
}
