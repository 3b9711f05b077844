import { SECOND_MS } from '#domain/duration.ts';

/** A page chunk that takes longer shows the error screen (docs/product.md#limits). */
const CHUNK_TIMEOUT_MS = 120 * SECOND_MS;

/** A page's chunk, or an error once it has taken too long. */
export async function chunk<Page>(loading: Promise<Page>): Promise<Page> {
  let timer = 0;
  const late = new Promise<never>((_, reject) => {
    timer = window.setTimeout(
      () => reject(new Error(`A page did not load within ${CHUNK_TIMEOUT_MS} ms`)),
      CHUNK_TIMEOUT_MS,
    );
  });
  return Promise.race([loading, late]).finally(() => window.clearTimeout(timer));
}
