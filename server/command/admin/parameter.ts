import * as z from 'zod/mini';

import { AdminError } from './context.ts';
import { parseUserId } from './store.ts';

const TEXT_LENGTH_MAX = 1000;
const CONTACTS_MAX = 10_000;

/** An argument such as `<id>`, or an option such as `--reason <text>`, with the schema of its value. */
export interface Parameter {
  readonly flags: string;
  readonly help?: string;
  readonly schema: z.ZodMiniType;
  readonly isRequired?: true;
  /** The value of an option that is not given. */
  readonly fallback?: string;
}

/** The keys of arguments are free, in their order; the key of an option is its name. */
export type Parameters = Readonly<Record<string, Parameter>>;
export type Input<P extends Parameters> = { readonly [Key in keyof P]: z.output<P[Key]['schema']> };

/** By the keys of parameters, as commander reads them. */
export type Values = Readonly<Record<string, unknown>>;

/** Throws AdminError for the first value that is not valid. */
export function parseInput<P extends Parameters>(parameters: P, values: Values): Input<P> {
  const input = Object.entries(parameters).map(([key, { flags, schema, fallback }]) => {
    const result = schema.safeParse(values[key] ?? fallback);
    if (result.success) return [key, result.data];
    throw new AdminError(`${flags.split(' ')[0]} ${result.error.issues[0]?.message}.`);
  });
  return Object.fromEntries(input) as Input<P>;
}

export function toUserId(given: string): string {
  const id = parseUserId(given);
  if (id !== null) return id;
  throw new AdminError(`${given} is not the id of a user and not a link to a card.`);
}

export const text = z
  .string()
  .check(z.maxLength(TEXT_LENGTH_MAX, `is longer than ${TEXT_LENGTH_MAX} characters`));
export const flag = z.optional(z.literal(true));
const countError = `must be a number from 1 to ${CONTACTS_MAX}`;
export const contactCount = z.coerce
  .number(countError)
  .check(z.int(countError), z.gte(1, countError), z.lte(CONTACTS_MAX, countError));

export const json = { flags: '--json', help: 'print the result as JSON', schema: flag };

export const USER_HELP = 'id of a user, or a link to the card';
export const userId = {
  flags: '<id>',
  help: USER_HELP,
  schema: z.pipe(text, z.transform(toUserId)),
};
export const phone = { flags: '<phone>', help: 'in any spelling', schema: text };
export const reason = {
  flags: '--reason <text>',
  help: 'why; stored in the audit table',
  schema: text,
  fallback: '',
};
export const requiredReason = { ...reason, isRequired: true } as const;
export const yes = { flags: '--yes', help: 'skip the confirmation', schema: flag };
