import { useState } from 'react';

import { useQuery } from '@tanstack/react-query';

import { getAccount } from '#contract/account.ts';
import type { Account } from '#contract/account.ts';
import { getExtras, updateExtras } from '#contract/extras.ts';
import type { Reply } from '#contract/endpoint.ts';
import { NO_EXTRAS, cleanExtra, extraProblem, parseLinks } from '#domain/extras.ts';
import type { CardExtras, Extra } from '#domain/extras.ts';
import { call, send } from '#web/shared/http/call.ts';
import { isSignedIn, ownerQuery, saveOver } from '#web/shared/http/query.ts';
import { settings } from '#web/shared/http/settings.ts';
import { flushDraft } from '#web/shared/http/storage.ts';
import { verifyPath } from '#web/shared/otp/purpose.ts';
import type { ExtraTexts } from '#web/shared/profile/draft.ts';

const NONE: readonly Extra[] = [];

const extrasQuery = () => ownerQuery(getExtras, { isKept: true });

/** Returns the links as the draft has them, in JSON. */
const textsOf = ({ links, ...extras }: Reply<typeof getExtras>): CardExtras => ({
  ...extras,
  links: links && JSON.stringify(links),
});

/** The fields of 'More on your card' (docs/product.md#more-on-your-card). */
export function useExtras(draft: ExtraTexts) {
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
    /** Whether they could not be loaded. */
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

export type ExtrasForm = ReturnType<typeof useExtras>;
