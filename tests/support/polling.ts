const TIMEOUT_MS = 30_000;
const POLL_MS = 20;

export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Timed out: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
