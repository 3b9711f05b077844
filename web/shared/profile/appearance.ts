import { useEffect, useSyncExternalStore } from 'react';

import { getAppearance } from '#contract/appearance.ts';
import type { AppearanceReply } from '#contract/appearance.ts';
import { PHOTO_PALETTE_HEADER } from '#contract/user.ts';
import { DEFAULT_APPEARANCE } from '#domain/appearance.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { OWNER_CACHE } from '#domain/offline.ts';
import { call } from '#web/shared/http/call.ts';
import { isOffline } from '#web/shared/http/connection.ts';
import { logFailure } from '#web/shared/http/log.ts';
import { storedId } from '#web/shared/http/session.ts';

import { versionTag } from './version-tag.ts';

/** How the owner's card looks. */
export interface OwnAppearance extends AppearanceReply {
  /** The number of the palette of the photo; null if there is none, or it is not known. */
  readonly photoPalette: number | null;
  readonly etag: string | undefined;
}

export const NOTHING_CHOSEN: OwnAppearance = {
  ...DEFAULT_APPEARANCE,
  logo: null,
  photoPalette: null,
  etag: undefined,
};

/** In the owner's cache. It is not an address of the server. */
const APPEARANCE_KEY = '/appearance';
/** Then what this browser has seen last is shown. */
const SLOW_MS = 3 * SECOND_MS;

let state: OwnAppearance | null = null;
let inFlight: Promise<void> | null = null;
const listeners = new Set<() => void>();

/** Null while it loads; if it does not load, as this browser has seen it last. */
export function useAppearance(): OwnAppearance | null {
  useEffect(() => void loadAppearance(), []);
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => null,
  );
}

/** Unless it is already loaded or loading. */
export async function loadAppearance(): Promise<void> {
  if (state === null) inFlight ??= fetchAppearance().finally(() => (inFlight = null));
  await inFlight;
}

export async function fetchAppearance(): Promise<void> {
  const id = storedId();
  if (id === null) return;
  const timer = setTimeout(() => void showLastSeen(id), isOffline() ? 0 : SLOW_MS);
  const { body, headers } = await call(getAppearance, { params: { id } });
  clearTimeout(timer);
  if (!body) return showLastSeen(id);
  const photoPalette = paletteOf(headers);
  return setAppearance({ ...body, photoPalette, etag: versionTag(headers) });
}

export function currentAppearance(): OwnAppearance {
  return state ?? NOTHING_CHOSEN;
}

/** After an upload or a removal. */
export function setPhotoPalette(headers: Readonly<Record<string, string>>): void {
  if (state) setAppearance({ ...state, photoPalette: paletteOf(headers) });
}

export function setAppearance(next: OwnAppearance): void {
  state = next;
  for (const listener of listeners) listener();
  store(next).catch((cause: unknown) => logFailure('The appearance was not stored', cause));
}

function paletteOf(headers: Readonly<Record<string, string>>): number | null {
  const text = headers[PHOTO_PALETTE_HEADER];
  return text === undefined ? null : Number(text);
}

/** Beside the profile as last seen (docs/product.md#offline). */
async function store(appearance: OwnAppearance): Promise<void> {
  const id = storedId();
  // The cache exists when a profile is stored.
  if (!('caches' in globalThis) || id === null || !(await caches.has(OWNER_CACHE))) return;
  const cache = await caches.open(OWNER_CACHE);
  await cache.put(APPEARANCE_KEY, new Response(JSON.stringify({ id, ...appearance })));
}

async function showLastSeen(id: string): Promise<void> {
  const lastSeen = await readLastSeen(id);
  if (state === null) {
    state = lastSeen ?? NOTHING_CHOSEN;
    for (const listener of listeners) listener();
  }
}

/** Null for another owner. Never throws. */
async function readLastSeen(id: string): Promise<OwnAppearance | null> {
  try {
    const stored = (await caches.match(APPEARANCE_KEY, { cacheName: OWNER_CACHE })) ?? null;
    const json = (await stored?.json()) as { id?: unknown; photoPalette?: unknown } | undefined;
    // Anything can write to a browser's storage.
    const appearance = getAppearance.reply.safeParse(json).data;
    if (!appearance || json?.id !== id) return null;
    const { photoPalette } = json;
    return {
      ...NOTHING_CHOSEN,
      ...appearance,
      photoPalette: typeof photoPalette === 'number' ? photoPalette : null,
    };
  } catch {
    // Where storage is blocked, and over plain HTTP.
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
