/** Prints a line about a test's progress or result. */
export function print(line: string): void {
  process.stdout.write(`  ${line}\n`);
}
