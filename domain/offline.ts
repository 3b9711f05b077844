import { BROWSER_STORAGE } from './browser-storage.ts';
import { PATHS } from './path.ts';

export const WORKER_PATH = '/worker.js';
export const WORKER_SCOPE = PATHS.dashboard;

export const PAGES_CACHE = BROWSER_STORAGE.caches.pages;
export const OWNER_CACHE = BROWSER_STORAGE.caches.owner;

const PHOTO_FILE = /^(\/photos\/[^/]+-)\d+\.[a-z]+$/;
const CURRENT_PHOTO = /^\/user\/([^/]+)\/photo\.jpg$/;

/**
 * Returns the start of the paths of all sizes and formats of a user's photo, or null for other paths. The
 * path that stays when the photo changes gives the same start.
 */
export function photoCachePrefix(path: string): string | null {
  const userId = CURRENT_PHOTO.exec(path)?.[1];
  return userId === undefined ? (PHOTO_FILE.exec(path)?.[1] ?? null) : `/photos/${userId}-`;
}
