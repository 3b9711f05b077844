const TIMEOUT_MS = 30_000;
const POLL_MS = 20;
/** This keeps the real timer, because a test may fake those of the product. */
const startTimer = setTimeout;

/** Waits until a condition is neither false nor undefined, and returns its value. */
export async function waitUntil<T>(
  condition: () => T | Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<Exclude<T, false | undefined>> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    if (Date.now() > end) throw new Error(`Timed out: ${condition.toString()}`);
    await new Promise((resolve) => startTimer(resolve, POLL_MS));
  }
}
