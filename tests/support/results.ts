import { expect } from 'vitest';
import type * as z from 'zod/mini';

/** The sentences with which a schema rejects a value; '' if it accepts it. */
export const rejection = (schema: z.ZodMiniType, value: unknown) =>
  schema
    .safeParse(value)
    .error?.issues.map(({ message }) => message)
    .join(' ') ?? '';

/** Expects the result of a function for each input, the keys of a table. */
export function expectResults<Result>(
  work: (input: string) => Result,
  expected: Readonly<Record<string, NoInfer<Result>>>,
): void {
  const found = Object.keys(expected).map((input) => [input, work(input)]);
  expect(Object.fromEntries(found)).toEqual(expected);
}
