/** A page chunk that has not loaded by then shows the error screen (specification, section 9). */
export const CHUNK_TIMEOUT_MS = 120_000;
