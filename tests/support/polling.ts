/** A number from the environment, or the default. */
export function readNumber(name: string, fallback: number): number {
  return Number(process.env[name] ?? fallback);
}

/** Prints a line about a test's progress or result. */
export function print(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

const TIMEOUT_MS = 30_000;
const POLL_MS = 20;

/** Waits until a condition is true; throws after 30 seconds. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Timed out: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
