import type { PersistedClient } from '@tanstack/react-query-persist-client';

import { getAppearance } from '#contract/appearance.ts';
import { getCardAddress } from '#contract/card-address.ts';
import { getContacts } from '#contract/contact.ts';
import { findContacts } from '#contract/contacts-view.ts';
import { getExtras } from '#contract/extras.ts';
import { getUser } from '#contract/user.ts';
import { PERSISTED_DAYS } from '#domain/browser-storage.ts';
import { DAY_MS } from '#domain/duration.ts';

import { parseJson } from './request.ts';

/* This file reads and writes the replies that this browser keeps for use offline (docs/develop/product.md#offline). */

type KeptQuery = PersistedClient['clientState']['queries'][number];

/** Lists of contacts expire after seven days. Everything else is kept until the session ends. */
const CONTACT_LISTS = [getContacts, findContacts] as const;
const CONTACT_LIST_AGE_MS_MAX = PERSISTED_DAYS * DAY_MS;
/**
 * Kept queries get this state, so that a page shows no failure of an earlier page load. An update count of
 * 0 marks data that this page load has not loaded itself.
 */
const LAST_SEEN = {
  status: 'success',
  error: null,
  dataUpdateCount: 0,
  errorUpdateCount: 0,
} as const;
const REPLIES = new Map(
  [getUser, getAppearance, getCardAddress, getExtras, ...CONTACT_LISTS].map(
    ({ path, reply }) => [path as unknown, reply] as const,
  ),
);

const parse = (text: string | undefined) => parseJson(text ?? '') as PersistedClient | null;

/** Leaves out lists of contacts that are too old, or that a wrong clock has dated too far into the future. */
function currentQueries(client: PersistedClient | null): KeptQuery[] {
  const queries = client?.clientState?.queries;
  if (!Array.isArray(queries)) return [];
  return queries.filter(({ queryKey, state }) => {
    const isContactList = CONTACT_LISTS.some(({ path }) => path === queryKey?.[0]);
    return !isContactList || Math.abs(Date.now() - state.dataUpdatedAt) <= CONTACT_LIST_AGE_MS_MAX;
  });
}

/**
 * Returns the queries that this release can read, whichever release has stored them. Keys that are missing
 * because a later release has added them to the contract get their defaults.
 */
export function readKeptQueries(text: string): PersistedClient {
  const queries = currentQueries(parse(text)).flatMap((query) => {
    const data = readData(query);
    return data === null ? [] : [{ ...query, state: { ...query.state, ...LAST_SEEN, data } }];
  });
  return { buster: '', timestamp: Date.now(), clientState: { mutations: [], queries } };
}

/** Returns the data of a kept query, or null if their shape does not match the contract. */
function readData({ queryKey, state }: KeptQuery): object | null {
  const reply = REPLIES.get(queryKey[0]);
  const data = state.data as Partial<Record<'body' | 'headers' | 'pages' | 'pageParams', unknown>>;
  const readBody = (body: unknown) => {
    const read = reply?.safeParse(body).data;
    return read === undefined || Array.isArray(read) ? read : { ...(body as object), ...read };
  };
  if (Array.isArray(data?.pages) && Array.isArray(data.pageParams)) {
    const pages = data.pages.map(readBody);
    return pages.includes(undefined) ? null : { ...data, pages };
  }
  const body = readBody(data?.body);
  return body === undefined || typeof data.headers !== 'object' ? null : { ...data, body };
}

/** Replaces kept replies by newer ones. The other replies stay, even if this release cannot read them. */
export function mergeKeptQueries(kept: string | undefined, text: string): string {
  const next = parse(text);
  const newer = currentQueries(next);
  const others = currentQueries(parse(kept)).filter(
    ({ queryHash }) => !newer.some((query) => query.queryHash === queryHash),
  );
  const queries = [...newer, ...others];
  return JSON.stringify({ ...next, clientState: { mutations: [], queries } });
}
