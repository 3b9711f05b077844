import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister';
import { QueryClient, onlineManager, queryOptions } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import type {
  PersistedClient,
  PersistQueryClientProviderProps,
} from '@tanstack/react-query-persist-client';
import { del, get, set } from 'idb-keyval';
import { useSyncExternalStore } from 'react';

import { API_ERRORS } from '#contract/api-error.ts';
import type { Endpoint, Reply } from '#contract/endpoint.ts';
import { DAY_MS } from '#domain/duration.ts';
import { version } from '#manifest';

import { CallError, OK_STATUS, send } from './call.ts';
import type { Answer, CallOptions, CallResult } from './call.ts';
import { checkConnection, isOffline, subscribeToConnection } from './connection.ts';
import { SERVER_ERROR_STATUS } from './request.ts';
import { QUERIES_KEY, storedId } from './storage.ts';

/** docs/product.md#offline. */
const KEPT_MS = 7 * DAY_MS;

/** Not after a log out, until the page is left. */
export const isSignedIn = (): boolean => storedId() !== null;

/** What the server has said. Nothing is sent by itself: a mutation without a network fails. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'offlineFirst',
      retry: false,
      gcTime: KEPT_MS,
      enabled: isSignedIn,
    },
    mutations: { networkMode: 'always' },
  },
});

// `window` does not exist in unit tests.
if (typeof window !== 'undefined') {
  onlineManager.setEventListener((setOnline) => {
    const update = () => setOnline(!isOffline());
    update();
    return subscribeToConnection(update);
  });
}

export function useIsOffline(): boolean {
  return useSyncExternalStore(subscribeToConnection, isOffline, () => false);
}

/** At the start of this page. */
let ownerId: string | null = null;

/** The queries with `meta.isKept` are on this device for use without a network. */
export const persistence: Omit<PersistQueryClientProviderProps, 'children'> = {
  client: queryClient,
  persistOptions: {
    persister: createAsyncStoragePersister({
      key: QUERIES_KEY,
      serialize: withoutErrors,
      storage: {
        getItem: (key) => {
          ownerId = storedId();
          return get<string>(key);
        },
        // After a log out in another tab nothing is stored any more.
        setItem: async (key, value: string) => {
          if (storedId() === ownerId) await set(key, value);
        },
        removeItem: del,
      },
    }),
    buster: version,
    maxAge: KEPT_MS,
    dehydrateOptions: {
      shouldDehydrateQuery: ({ meta, state }) => meta?.['isKept'] === true && Boolean(state.data),
      shouldDehydrateMutation: () => false,
      serializeData: firstPage,
    },
  },
  // They are shown, and asked for again.
  onSuccess: () =>
    queryClient.invalidateQueries({
      predicate: ({ state }) => isLastSeen(state),
      refetchType: 'none',
    }),
};

/** A failure is not shown again by the next page load, which asks anew. */
function withoutErrors({ clientState, ...client }: PersistedClient): string {
  const queries = clientState.queries.map((query) => ({
    ...query,
    state: { ...query.state, status: 'success', error: null },
  }));
  return JSON.stringify({ ...client, clientState: { ...clientState, queries } });
}

/** The first page of a list that is loaded page by page; other data as they are. */
export function firstPage<Data>(data: Data): Data {
  if (typeof data !== 'object' || data === null || !('pages' in data && 'pageParams' in data))
    return data;
  const { pages, pageParams } = data as InfiniteData<unknown>;
  return { ...data, pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}

/** Whether the data are those of an earlier page load. */
export const isLastSeen = (state: { readonly dataUpdatedAt: number }): boolean =>
  state.dataUpdatedAt < performance.timeOrigin;

interface OwnerQueryOptions<Value> {
  /** Fetched once in a page load, and on this device for use without a network. */
  readonly isKept?: boolean;
  readonly read?: () => Promise<Answer<Value>>;
}

/** What an endpoint answers to the owner. */
export function ownerQuery<E extends Endpoint>(
  endpoint: E,
  { isKept = false, read = () => send(endpoint) }: OwnerQueryOptions<Reply<E>> = {},
) {
  return queryOptions({
    queryKey: [endpoint.path, storedId()],
    queryFn: () => knowingConnection(read()),
    ...(isKept && { meta: { isKept }, staleTime: Infinity }),
  });
}

type Key = (string | null)[];
type OwnerQuery<Value> = ReturnType<typeof queryOptions<Answer<Value>, Error, Answer<Value>, Key>>;

/** Neither a call nor a check of the connection got through. */
export class UnreachableError extends Error {}

/** Rejects with an UnreachableError if the service cannot be reached. */
export async function knowingConnection<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (cause) {
    const mayBeAway = cause instanceof CallError && cause.status >= SERVER_ERROR_STATUS;
    if (mayBeAway && !(await checkConnection()))
      throw new UnreachableError(cause.message, { cause });
    throw cause;
  }
}

/**
 * Saves over the version that was read. If somebody else has saved meanwhile, reads the newest and
 * saves once more (docs/product.md#lost-updates). Rejects with a CallError.
 */
export async function saveOver<Value>(
  query: OwnerQuery<Value>,
  save: (
    newest: Value,
    options: CallOptions,
  ) => Promise<Omit<CallResult<Endpoint>, 'body'> & { readonly body: Value | null }>,
): Promise<void> {
  const saveOne = ({ body, headers }: Answer<Value>) =>
    save(body, { ifMatch: versionTag(headers), isSave: true });
  let result = await saveOne(await queryClient.query({ ...query, staleTime: 'static' }));
  if (result.status === API_ERRORS.precondition_failed) {
    result = await saveOne(await queryClient.query({ ...query, staleTime: 0 }));
  }
  const { status, body, headers } = result;
  if (status !== OK_STATUS) throw new CallError(result);
  if (body === null) void queryClient.invalidateQueries(query);
  else {
    queryClient.setQueryData(query.queryKey, (before) => ({
      body,
      headers: { ...before?.headers, ...headers },
    }));
  }
}

/**
 * A proxy that compresses makes the ETag weak, and a weak tag never matches; the server appends the
 * name of the encoding (docs/product.md#calls).
 */
export function versionTag(headers: Readonly<Record<string, string>>): string | undefined {
  return headers['ETag']?.replace(/^W\//, '').replace(/-(?:br|gzip)"$/, '"');
}
