import { createStore } from 'idb-keyval';
import type { UseStore } from 'idb-keyval';

import { SECOND_MS } from '#domain/duration.ts';

import { withTimeout } from './request.ts';

/** See docs/develop/product.md#limits. */
export const STORAGE_TIMEOUT_MS = 5 * SECOND_MS;

/** These are the names of the library's default database. */
const openStore = createStore('keyval-store', 'keyval');
let isUnresponsive = false;

/**
 * Runs a transaction on the database of this origin. Rejects if the database does not answer within 5 s.
 * After that, further calls reject at once until it answers.
 */
export const database: UseStore = async (mode, run) => {
  if (isUnresponsive) throw new Error('The database of this browser does not answer');
  const result = openStore(mode, run);
  const timer = setTimeout(() => (isUnresponsive = true), STORAGE_TIMEOUT_MS);
  const end = () => {
    clearTimeout(timer);
    isUnresponsive = false;
  };
  result.then(end, end);
  return withTimeout(result, STORAGE_TIMEOUT_MS);
};
