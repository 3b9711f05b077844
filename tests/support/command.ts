import { createProgram } from '#server/command/admin/program.ts';

import type { TestApp } from './app.ts';

/** Runs an admin command in the test's own process and returns its result. `changed` replaces parts of its context. */
export async function runCommand(
  { dependencies, responses, settings }: TestApp,
  changed: object,
  ...args: string[]
): Promise<unknown> {
  const operator = { actor: 'asha', confirm: async () => undefined, fail: () => undefined };
  const context = { ...dependencies, responses, settings, ...operator, ...changed };
  let result: unknown;
  const program = createProgram(async (work) => void (result = await work(context)));
  await program.parseAsync(args, { from: 'user' });
  return result;
}
