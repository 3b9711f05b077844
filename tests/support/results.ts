import { expect } from 'vitest';
import type * as z from 'zod/mini';

/** Returns the sentences with which a schema rejects a value, or '' if it accepts the value. */
export const rejection = (schema: z.ZodMiniType, value: unknown) =>
  schema
    .safeParse(value)
    .error?.issues.map(({ message }) => message)
    .join(' ') ?? '';

/** Expects the results of a function. `expected` maps each input to its result. */
export function expectResults<Result>(
  work: (input: string) => Result,
  expected: Readonly<Record<string, NoInfer<Result>>>,
): void {
  const found = Object.keys(expected).map((input) => [input, work(input)]);
  expect(Object.fromEntries(found)).toEqual(expected);
}
