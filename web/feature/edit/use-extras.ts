import { useCallback, useEffect, useState } from 'react';

import { getAccount } from '#contract/account.ts';
import type { Account } from '#contract/account.ts';
import { API_ERRORS } from '#contract/api-error.ts';
import { getExtras, updateExtras } from '#contract/extras.ts';
import { NO_EXTRAS, cleanExtra, extraProblem } from '#domain/extras.ts';
import type { CardExtras, Extra } from '#domain/extras.ts';
import { OK_STATUS, call } from '#web/shared/http/call.ts';
import type { CallOptions } from '#web/shared/http/call.ts';
import { onReconnect } from '#web/shared/http/connection.ts';
import { settings } from '#web/shared/http/settings.ts';
import { verifyPath } from '#web/shared/otp/purpose.ts';
import { storeExtrasDraft, storedExtrasDraft } from '#web/shared/profile/extras-draft.ts';
import type { ExtrasDraft } from '#web/shared/profile/extras-draft.ts';
import { versionTag } from '#web/shared/profile/version-tag.ts';

const NONE: readonly Extra[] = [];

export type ExtrasForm = ReturnType<typeof useExtras>;

/** The fields of 'More on your card' (docs/product.md#more-on-your-card). */
export function useExtras(userId: string) {
  const names = settings().cardExtras ?? NONE;
  const { stored, isMissing, load, save } = useStored(userId, names.length > 0);
  const { changed, textOf, ...typed } = useTyped(userId, names, stored);
  const [hasFailed, setFailed] = useState(false);
  /** While a new UPI ID is confirmed. */
  const [account, setAccount] = useState<Account | null>(null);
  const isLeaving = account !== null && account.verification !== 'code';
  useEffect(() => {
    if (isLeaving) location.assign(verifyPath('upi'));
  }, [isLeaving]);

  const send = async (extras: readonly Extra[], token?: string, options?: CallOptions) => {
    const texts = Object.fromEntries(extras.map((extra) => [extra, textOf(extra)]));
    const result = await save({ ...texts, token }, options);
    setFailed(!result.body);
    return result;
  };

  return {
    ...typed,
    names,
    isLoaded: stored !== null,
    /** Whether they could not be loaded. */
    isMissing,
    load,
    hasUnsaved: changed.length > 0 && !isLeaving,
    hasFailed: hasFailed && changed.length > 0,
    fail: () => setFailed(true),
    account: isLeaving ? null : account,
    /** Saves all but a new UPI ID. Returns a status, or null while that is confirmed. */
    saveAll: async (): Promise<number | null> => {
      // Its removal needs no confirmation.
      const hasNewUpi = changed.includes('upi') && textOf('upi') !== '';
      const others = changed.filter((extra) => extra !== 'upi' || !hasNewUpi);
      if (others.length > 0) {
        const { status } = await send(others, undefined, { isSave: true });
        if (status !== OK_STATUS) return status;
      }
      if (!hasNewUpi) return OK_STATUS;
      const { status, body } = await call(getAccount, { params: { id: userId } });
      setFailed(!body);
      setAccount(body);
      return body ? null : status;
    },
    confirm: (token?: string) => send(['upi'], token),
    closeConfirmation: (isSaved: boolean) => {
      setAccount(null);
      setFailed(!isSaved);
    },
  };
}

function useTyped(userId: string, names: readonly Extra[], stored: CardExtras | null) {
  const [draft, setDraft] = useState<ExtrasDraft>(() => storedExtrasDraft(userId));
  /** Those whose problem is shown. */
  const [checked, setChecked] = useState(NONE);
  const values = stored ?? NO_EXTRAS;
  const valueOf = (extra: Extra) => draft[extra] ?? values[extra] ?? '';
  const textOf = (extra: Extra) => cleanExtra(extra, valueOf(extra));
  const problemOf = (extra: Extra) => extraProblem(extra, textOf(extra));
  const changed = names.filter((extra) => textOf(extra) !== (values[extra] ?? ''));
  useEffect(() => {
    if (!stored) return;
    const unsaved = changed.map((extra) => [extra, valueOf(extra)] as const);
    storeExtrasDraft(userId, Object.fromEntries(unsaved));
  });
  const shown = names.filter((extra) => textOf(extra) !== '' && problemOf(extra) === '');
  return {
    changed,
    valueOf,
    textOf,
    /** As the card would show them. */
    card: { ...NO_EXTRAS, ...Object.fromEntries(shown.map((extra) => [extra, textOf(extra)])) },
    change: (extra: Extra, value: string) => setDraft((typed) => ({ ...typed, [extra]: value })),
    check: (extra: Extra) => setChecked((others) => [...others, extra]),
    shownProblem: (extra: Extra) => (checked.includes(extra) ? problemOf(extra) : ''),
    /** Shows all problems; returns the first field that has one. */
    findProblem: () => {
      setChecked(names);
      return changed.find((extra) => problemOf(extra) !== '');
    },
  };
}

interface Loaded {
  readonly values: CardExtras;
  readonly etag: string | undefined;
}

/** Null until they are loaded, again after a connection is back. */
function useStored(userId: string, isOn: boolean) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const params = { id: userId };
  const load = useCallback(async () => {
    const { body, headers } = await call(getExtras, { params: { id: userId } });
    setFailed(!body);
    if (body) setLoaded({ values: body, etag: versionTag(headers) });
    return versionTag(headers);
  }, [userId]);
  useEffect(() => {
    if (!isOn) return undefined;
    const loadFirst = async () => load();
    void loadFirst();
    return onReconnect(() => void load());
  }, [isOn, load]);

  const save = async (
    body: Partial<Record<Extra | 'token', string | undefined>>,
    options?: CallOptions,
  ) => {
    const sendWith = (ifMatch: string | undefined) =>
      call(updateExtras, { params, body }, { ...options, ifMatch });
    let result = await sendWith(loaded?.etag);
    // What this person has typed wins (docs/product.md#lost-updates).
    if (result.status === API_ERRORS.precondition_failed) result = await sendWith(await load());
    if (result.body) setLoaded({ values: result.body, etag: versionTag(result.headers) });
    return result;
  };
  return { stored: loaded?.values ?? null, isMissing: hasFailed && loaded === null, load, save };
}
