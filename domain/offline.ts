import { PATHS } from './path.ts';

/** The service worker's script. It controls the pages below its scope and no other. */
export const WORKER_PATH = '/worker.js';
export const WORKER_SCOPE = PATHS.dashboard;

/** The cache of the document and the files of the owner's pages. */
export const PAGES_CACHE = 'pages';
/** The cache of the owner's photo. */
export const OWNER_CACHE = 'owner';

const PHOTO_FILE = /^(\/photos\/[^/]+)-\d+\.[a-z]+$/;

/** What all sizes and formats of a photo share; null for any other path. */
export function photoKey(path: string): string | null {
  return PHOTO_FILE.exec(path)?.[1] ?? null;
}
