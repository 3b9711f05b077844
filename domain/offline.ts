import { PATHS } from './path.ts';

/** The service worker's script. It controls the pages below its scope and no other. */
export const WORKER_PATH = '/worker.js';
export const WORKER_SCOPE = PATHS.dashboard;

export const PAGES_CACHE = 'pages';
export const OWNER_CACHE = 'owner';

const PHOTO_FILE = /^(\/photos\/[^/]+-)\d+\.[a-z]+$/;
const CURRENT_PHOTO = /^\/user\/([^/]+)\/photo\.jpg$/;

/**
 * What the paths of all sizes and formats of a photo begin with, also for the path that stays when the
 * photo changes; null for any other path.
 */
export function photoKey(path: string): string | null {
  const userId = CURRENT_PHOTO.exec(path)?.[1];
  return userId === undefined ? (PHOTO_FILE.exec(path)?.[1] ?? null) : `/photos/${userId}-`;
}
