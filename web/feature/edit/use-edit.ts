import { useEffect, useMemo, useState } from 'react';
import type { FormEvent } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';

import { getAccount } from '#contract/account.ts';
import type { Account } from '#contract/account.ts';
import type { Reply } from '#contract/endpoint.ts';
import type { getExtras } from '#contract/extras.ts';
import { updateExtras } from '#contract/extras.ts';
import { EXTRAS, NO_EXTRAS, cleanExtra, extraProblem, parseLinks } from '#domain/extras.ts';
import type { CardExtras, Extra } from '#domain/extras.ts';
import { PATHS } from '#domain/path.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { call, send } from '#web/shared/http/call.ts';
import { applyChanges, isEmpty } from '#web/shared/http/changes.ts';
import type { IsSame } from '#web/shared/http/changes.ts';
import { isSignedIn, saveWithRetry } from '#web/shared/http/query.ts';
import { showAlert } from '#web/shared/http/report.ts';
import { loadCode } from '#web/shared/http/request.ts';
import { settings } from '#web/shared/http/settings.ts';
import { flushDraft } from '#web/shared/http/storage.ts';
import type { StoredDraft } from '#web/shared/http/storage.ts';
import type { VerifyDialog } from '#web/shared/embedded/verify-dialog.tsx';
import { returnTo } from '#web/shared/otp/interrupted.ts';
import { verifyPath } from '#web/shared/otp/purpose.ts';
import { isSameInProfile, useDraft, useUnsavedGuard } from '#web/shared/profile/draft.ts';
import type { EditDraft, ExtraTexts } from '#web/shared/profile/draft.ts';
import {
  alertSaveFailure,
  extrasQuery,
  saveProfile,
  useIsNewest,
} from '#web/shared/profile/profile.ts';

const SAVED = 'Data updated successfully';

const isSame: IsSame = (changed, saved, place) =>
  (place.path[0] === 'extras' ? isSameInExtras : isSameInProfile)(changed, saved, place);

export function useEdit(profile: Profile, stored: StoredDraft<EditDraft>) {
  const hasExtras = extraNames().length > 0;
  const query = useQuery({ ...extrasQuery(), enabled: () => hasExtras && isSignedIn() });
  const loaded = query.data?.body;
  const values = useMemo(() => (loaded ? textsOf(loaded) : NO_EXTRAS), [loaded]);
  const saved = useMemo(() => {
    const isKnown = loaded !== undefined || !hasExtras;
    return { profile, ...(isKnown && { extras: { ...values, linksOver: values.links } }) };
  }, [profile, loaded, values, hasExtras]);
  const draft = useDraft('edit', profile._id, { stored, saved, isSame });
  const { typed, changes, hasUnsaved, settle } = draft;
  const isNewest = useIsNewest();
  const extras = useExtras(query, values, typed.extras ?? {});
  const save = useMutation({
    mutationFn: async (sent: EditDraft) => {
      await saveProfile((newest) => applyChanges(newest, sent.profile ?? {}));
      await settle({ profile: sent.profile });
      const { newUpi, others } = splitNewUpi(sent.extras ?? {});
      await saveExtras(others);
      await settle({ extras: others });
      if (newUpi !== undefined) await extras.askForConfirmation();
      return newUpi === undefined;
    },
    onSuccess: (isComplete) => {
      if (isComplete) showAlert(SAVED);
    },
    onError: alertSaveFailure,
  });
  const discard = () => {
    save.reset();
    draft.discard();
  };
  useUnsavedGuard({ path: PATHS.edit, hasUnsaved, isKept: true, onDiscard: discard });

  return {
    card: applyChanges(profile, typed.profile ?? {}),
    extras,
    hasUnsaved,
    isSaving: save.isPending,
    note: {
      isShown: hasUnsaved && !save.isPending && isNewest,
      failure: hasUnsaved && save.isError ? save.error.message : '',
      hasDraftElsewhere: draft.hasDraftElsewhere,
      onDiscard: discard,
    },
    change: (changed: ProfileChange) => draft.change({ profile: changed }),
    changeExtras: (texts: ExtraTexts) =>
      draft.change({ extras: { ...texts, ...('links' in texts && extras.linksOver) } }),
    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const invalid = extras.findProblem(changes.extras ?? {});
      const field = invalid && event.currentTarget.elements.namedItem(`extra-${invalid}`);
      if (field instanceof HTMLElement) field.focus();
      else if (!save.isPending) save.mutate(changes);
    },
    onUpiConfirmed: async () => {
      await settle({ extras: { upi: typed.extras?.upi } });
      showAlert(SAVED);
    },
  };
}

export type EditForm = ReturnType<typeof useEdit>;

const NO_NAMES: readonly Extra[] = [];

const extraNames = () => settings().cardExtras ?? NO_NAMES;

/** Returns the extras as drafts store them, with the links as JSON. */
const textsOf = ({ links, ...extras }: Reply<typeof getExtras>): CardExtras => ({
  ...extras,
  links: links && JSON.stringify(links),
});

/** Returns the typed text, or the saved one if nothing was typed. Links are merged one by one. */
function mergeTyped(typed: ExtraTexts, extra: Extra, saved: string | null): string {
  const text = typed[extra] ?? saved ?? '';
  return extra === 'links' ? mergeLinks(text, typed.linksOver ?? saved ?? '', saved ?? '') : text;
}

/** A field counts as unchanged if the operator has switched it off since it was typed. */
const isSameInExtras: IsSame = (_, saved, { path, branch }) => {
  const key = path.at(-1) === 'linksOver' ? 'links' : path.at(-1);
  const extra = extraNames().find((name) => name === key);
  if (extra === undefined) return true;
  const before = typeof saved === 'string' ? saved : null;
  return cleanExtra(extra, mergeTyped(branch, extra, before)) === (before ?? '');
};

/** Separates a new UPI ID, which must be confirmed with a code. Removing one needs no code. */
function splitNewUpi(typed: ExtraTexts) {
  const { upi, ...others } = typed;
  const isNew = upi !== undefined && cleanExtra('upi', upi) !== '';
  return isNew ? { newUpi: upi, others } : { newUpi: undefined, others: typed };
}

async function saveExtras(typed: ExtraTexts, token?: string): Promise<void> {
  if (isEmpty(typed)) return;
  await saveWithRetry(extrasQuery(), (newest, options) => {
    const saved = textsOf(newest);
    const changed = EXTRAS.filter((extra) => typed[extra] !== undefined);
    const cleanTextOf = (extra: Extra) => cleanExtra(extra, mergeTyped(typed, extra, saved[extra]));
    const texts = Object.fromEntries(changed.map((extra) => [extra, cleanTextOf(extra)]));
    const links = typed.links !== undefined && { links: [...parseLinks(cleanTextOf('links'))] };
    return call(updateExtras, { body: { ...texts, ...links, token } }, options);
  });
}

interface UpiConfirmation {
  readonly VerifyDialog: typeof VerifyDialog;
  readonly account: Account;
}

/** Returns null if a third party's widget confirms it on a page of its own, which is loading. */
async function loadConfirmation(): Promise<UpiConfirmation | null> {
  const { body } = await send(getAccount);
  if (body.verification !== 'widget') {
    const { VerifyDialog } = await loadCode(import('#web/shared/embedded/verify-dialog.tsx'));
    return { VerifyDialog, account: body };
  }
  await flushDraft();
  location.assign(verifyPath('upi'));
  return null;
}

/** The fields of 'More on your card' (docs/develop/product.md#more-on-your-card). */
function useExtras(query: UseQueryResult, values: CardExtras, typed: ExtraTexts) {
  const names = extraNames();
  /** The extras whose problems the form shows. */
  const [checked, setChecked] = useState(NO_NAMES);
  /** This is set while a new UPI ID is being confirmed. */
  const [confirmation, setConfirmation] = useState<UpiConfirmation | null>(null);
  useEffect(() => {
    if (returnTo('Save') !== null) loadConfirmation().then(setConfirmation, alertSaveFailure);
  }, []);
  const valueOf = (extra: Extra) => mergeTyped(typed, extra, values[extra]);
  const cleanTextOf = (extra: Extra) => cleanExtra(extra, valueOf(extra));
  const problemOf = (extra: Extra) => extraProblem(extra, cleanTextOf(extra));
  const valid = names.filter((extra) => cleanTextOf(extra) !== '' && problemOf(extra) === '');
  return {
    names,
    isLoaded: query.data !== undefined,
    query,
    valueOf,
    /** The saved links that a change is based on. The draft keeps them with the change. */
    linksOver: { linksOver: values.links ?? '' },
    /** The extras as the card would show them. */
    card: {
      ...NO_EXTRAS,
      ...Object.fromEntries(valid.map((extra) => [extra, cleanTextOf(extra)])),
    },
    showProblem: (extra: Extra) => setChecked((others) => [...others, extra]),
    visibleProblem: (extra: Extra) => (checked.includes(extra) ? problemOf(extra) : ''),
    /** Shows all problems, and returns the first changed field that has one. */
    findProblem: (changed: ExtraTexts) => {
      setChecked(names);
      return names.find((extra) => changed[extra] !== undefined && problemOf(extra) !== '');
    },
    confirmation,
    askForConfirmation: async () => setConfirmation(await loadConfirmation()),
    saveConfirmedUpi: (token?: string) => saveExtras({ upi: valueOf('upi') }, token),
    closeConfirmation: () => setConfirmation(null),
  };
}

/**
 * Returns the saved links with the changes that lead from `base` to `typed`. All three are JSON. A link is
 * identified by its content. If both sides have changed the same link, `typed` wins.
 */
export function mergeLinks(typed: string, base: string, saved: string): string {
  if (base === saved) return typed;
  const [typedLinks = [], baseLinks = [], savedLinks = []] = [typed, base, saved].map((text) =>
    parseLinks(text).map((link) => JSON.stringify(link)),
  );
  const isReplaced = (link: string) => !typedLinks.includes(link) && !savedLinks.includes(link);
  const kept = typedLinks.filter((link) => !baseLinks.includes(link) || savedLinks.includes(link));
  const added = savedLinks.filter((link, index) => {
    const previous = baseLinks[index];
    const isAddedElsewhere = !baseLinks.includes(link) && !typedLinks.includes(link);
    return isAddedElsewhere && !(previous !== undefined && isReplaced(previous));
  });
  const merged = [...kept, ...added];
  return merged.length === 0 ? '' : `[${merged.join()}]`;
}
