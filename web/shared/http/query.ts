import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister';
import { QueryClient, queryOptions } from '@tanstack/react-query';
import type { InfiniteData, QueryKey, QueryState } from '@tanstack/react-query';
import type { PersistQueryClientProviderProps } from '@tanstack/react-query-persist-client';
import { del, get, update } from 'idb-keyval';
import { useSyncExternalStore } from 'react';

import { API_ERRORS } from '#contract/api-error.ts';
import type { Endpoint, Reply } from '#contract/endpoint.ts';
import type { PersistedReply } from '#domain/browser-storage.ts';
import { DAY_MS } from '#domain/duration.ts';

import { CallError, OK_STATUS, send } from './call.ts';
import type { Answer, CallOptions, CallResult } from './call.ts';
import { checkConnection, isOffline, subscribeToConnection } from './connection.ts';
import { database } from './database.ts';
import { readKeptQueries, mergeKeptQueries } from './kept.ts';
import { SERVER_ERROR_STATUS } from './request.ts';
import { QUERIES_KEY, openChannel, storedId, storedSession } from './storage.ts';
import type { Session } from './storage.ts';

/** A page keeps data that it does not show for this time. */
const UNUSED_MS = 7 * DAY_MS;

/** Returns false between a log out and the moment when the page is left. */
export const isSignedIn = (): boolean => storedId() !== null;

/** Caches the server's replies. A mutation without a network fails at once instead of waiting for one. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'offlineFirst',
      retry: false,
      gcTime: UNUSED_MS,
      enabled: isSignedIn,
    },
    mutations: { networkMode: 'always' },
  },
});

export function useIsOffline(): boolean {
  return useSyncExternalStore(subscribeToConnection, isOffline, () => false);
}

/** The id of the owner who was signed in when the kept queries were read. */
let ownerId: string | null = null;

/** Stores the queries that have `keptMeta` on this device, for use without a network. */
export const persistence: Omit<PersistQueryClientProviderProps, 'children'> = {
  client: queryClient,
  persistOptions: {
    persister: createAsyncStoragePersister({
      key: QUERIES_KEY,
      deserialize: readKeptQueries,
      storage: {
        getItem: (key) => {
          ownerId = storedId();
          // If the database does not answer, the page relies on the service alone.
          return get<string>(key, database).catch(() => undefined);
        },
        // Nothing is stored any more after a log out in another tab.
        setItem: async (key, value: string) => {
          if (storedId() !== ownerId) return;
          await update<string>(key, (kept) => mergeKeptQueries(kept, value), database);
        },
        removeItem: (key) => del(key, database),
      },
    }),
    maxAge: Infinity,
    dehydrateOptions: {
      shouldDehydrateQuery: ({ meta, state }) =>
        meta?.['kept'] !== undefined && Boolean(state.data),
      shouldDehydrateMutation: () => false,
      serializeData: keepFirstPage,
    },
  },
  // The page shows stored replies and requests them again, even if a wrong clock has dated them in the future.
  onSuccess: () =>
    queryClient.invalidateQueries({
      predicate: ({ state }) => isLastSeen(state),
      refetchType: 'none',
    }),
};

/** Returns only the first page of a list that is loaded page by page, and all other data unchanged. */
export function keepFirstPage<Data>(data: Data): Data {
  if (typeof data !== 'object' || data === null || !('pages' in data && 'pageParams' in data))
    return data;
  const { pages, pageParams } = data as InfiniteData<unknown>;
  return { ...data, pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}

/** Returns whether the data come from an earlier page load. No timestamp can tell, because clocks can be set back. */
export const isLastSeen = (state: QueryState | undefined): boolean =>
  state?.data !== undefined && state.dataUpdateCount === 0;

const subscribeToQueries = (listener: () => void) =>
  queryClient.getQueryCache().subscribe(listener);

export const useIsLastSeen = ({ queryKey }: { readonly queryKey: QueryKey }): boolean =>
  useSyncExternalStore(subscribeToQueries, () => isLastSeen(queryClient.getQueryState(queryKey)));

interface OwnerQueryOptions<Value> {
  /** Names a reply that is fetched once in a page load and kept on this device for use without a network. */
  readonly kept?: PersistedReply;
  readonly read?: (session: Session | null) => Promise<Answer<Value>>;
}

/** Marks a query whose reply is kept on this device. The privacy policy lists these replies. */
export const keptMeta = (kept: PersistedReply) => ({ meta: { kept } });

/** Returns the query for an endpoint's reply to the owner who is signed in now, and to nobody who signs in later. */
export function ownerQuery<E extends Endpoint>(
  endpoint: E,
  { kept, read = (session) => send(endpoint, {}, { session }) }: OwnerQueryOptions<Reply<E>> = {},
) {
  const session = storedSession();
  return queryOptions({
    queryKey: [endpoint.path, session?.id ?? null],
    queryFn: () => withConnectionCheck(() => read(session)),
    ...(kept && { ...keptMeta(kept), staleTime: Infinity }),
  });
}

type Key = (string | null)[];
type OwnerQuery<Value> = ReturnType<typeof queryOptions<Answer<Value>, Error, Answer<Value>, Key>>;

/** Neither a call nor the check of the connection after it got through. */
export class UnreachableError extends Error {}

/**
 * Reads once more if the connection was lost during the call and is back now, for example because the device has
 * changed its network. Rejects with an UnreachableError if the service cannot be reached.
 */
export async function withConnectionCheck<Result>(
  read: () => Promise<Result>,
  isRetry = false,
): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof CallError) || cause.status < SERVER_ERROR_STATUS) throw cause;
    if (!(await checkConnection())) throw new UnreachableError(cause.message, { cause });
    if (!cause.isCut || isRetry) throw cause;
    return withConnectionCheck(read, true);
  }
}

const savesChannel = openChannel('saves');
savesChannel?.addEventListener('message', ({ data: queryKey }: MessageEvent<Key>) => {
  void queryClient.invalidateQueries({ queryKey, exact: true });
});

/** Makes the other tabs of this browser request the data of a query again, because this tab has saved it. */
export function announceSave(queryKey: Key): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target origin
  savesChannel?.postMessage(queryKey);
}

/**
 * Saves over the version that was read. If somebody else has saved meanwhile, reads the newest version and
 * saves once more (docs/develop/product.md#lost-updates). Rejects with a CallError.
 */
export async function saveWithRetry<Value>(
  query: OwnerQuery<Value>,
  save: (newest: Value, options: CallOptions) => Promise<CallResult<Value>>,
): Promise<void> {
  const session = storedSession();
  const saveOne = ({ body, headers }: Answer<Value>) =>
    save(body, { ifMatch: versionTag(headers), isSave: true, session });
  let result = await saveOne(await queryClient.query({ ...query, staleTime: 'static' }));
  if (result.status === API_ERRORS.precondition_failed) {
    result = await saveOne(await queryClient.query({ ...query, staleTime: 0 }));
  }
  const { status, body, headers } = result;
  if (status !== OK_STATUS) throw new CallError(result);
  // A read that began before the save would bring back the old data.
  await queryClient.cancelQueries({ queryKey: query.queryKey, exact: true });
  announceSave(query.queryKey);
  if (body === null) void queryClient.invalidateQueries(query);
  else {
    queryClient.setQueryData(query.queryKey, (before) => ({
      body,
      headers: { ...before?.headers, ...headers },
    }));
  }
}

/**
 * Returns the ETag to send in If-Match. A proxy that compresses makes the ETag weak, and a weak tag never
 * matches. The server appends the name of the encoding (docs/develop/product.md#calls). Both are removed.
 */
export function versionTag(headers: Readonly<Record<string, string>>): string | undefined {
  return headers['ETag']?.replace(/^W\//, '').replace(/-(?:br|gzip)"$/, '"');
}
