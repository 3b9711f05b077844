/** How often a test repeats itself: its full count, unless the environment says fewer. */
export function countOf(name: string, full: number): number {
  return Number(process.env[name] ?? full);
}

/** Says what a test has done, where whoever runs it sees it. */
export function tell(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 20;

/** Waits until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Waited in vain for: ${isSo.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
