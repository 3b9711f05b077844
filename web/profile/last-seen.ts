import { getUser } from '#contract/user.ts';
import type { Profile } from '#domain/profile.ts';
import { logFailure } from '#web/http/log.ts';

/** Browsers without idle callbacks wait for this time. */
const IDLE_FALLBACK_MS = 500;

export interface VersionedProfile {
  readonly profile: Profile;
  /** The version of the profile on the server; undefined if the server sends none. */
  readonly etag: string | undefined;
}

let newest: VersionedProfile | null = null;

/**
 * Stores a profile as the one that this browser has seen last (docs/product.md#offline), when the page
 * is idle. If it is called several times before that, only the newest profile is stored.
 */
export function storeLastSeenProfile(loaded: VersionedProfile): void {
  const isScheduled = newest !== null;
  newest = loaded;
  if (!isScheduled) void storeWhenIdle();
}

async function storeWhenIdle(): Promise<void> {
  try {
    await pageIsIdle();
    const { updateOfflineCopy } = await import('./offline-copy.ts');
    const { profile, etag } = newest ?? {};
    newest = null;
    if (profile) await updateOfflineCopy(profile, etag);
  } catch (cause) {
    newest = null;
    logFailure('The card was not stored for use without a network', cause);
  }
}

/** Resolves when the page has loaded and is idle, so that nothing delays its first view. */
async function pageIsIdle(): Promise<void> {
  if (document.readyState !== 'complete') {
    await new Promise((resolve) => {
      window.addEventListener('load', resolve, { once: true });
    });
  }
  await new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve);
    else setTimeout(resolve, IDLE_FALLBACK_MS);
  });
}

/** Returns the profile of an owner that this browser has seen last, or null. Never throws. */
export async function readLastSeenProfile(id: string): Promise<VersionedProfile | null> {
  // Without a worker nothing is stored, and a slow first visit loads no code for it.
  if (!('serviceWorker' in navigator) || !navigator.serviceWorker.controller) return null;
  try {
    const { readLastSeen } = await import('./offline-copy.ts');
    const lastSeen = await readLastSeen();
    // Anything can write to a browser's storage.
    const profile = getUser.reply.safeParse(lastSeen?.profile).data;
    return profile?._id === id ? { profile, etag: lastSeen?.etag } : null;
  } catch (cause) {
    logFailure('The card as last seen could not be read', cause);
    return null;
  }
}
