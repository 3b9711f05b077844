import { Option } from 'commander';

import { toE164 } from '#server/adapter/otp/phone.ts';

import { AdminError } from './context.ts';
import type { AdminContext, Options } from './context.ts';
import { parseUserId } from './store.ts';

const REASON_LENGTH_MAX = 1000;

export const json = new Option('--json', 'Print the result as JSON.');
export const yes = new Option('--yes', 'Do not ask for confirmation.');
/** Marks an option that must be given, because Commander's help does not. */
export const required = (flags: string, help: string) =>
  new Option(flags, `Required: ${help}`).makeOptionMandatory();
const WHY = 'The reason is stored in the audit table.';
export const reason = new Option('--reason <text>', `Say why. ${WHY}`).argParser(readReason);
export const requiredReason = required('--reason <text>', `say why. ${WHY}`).argParser(readReason);

export interface AdminCommand {
  readonly usage: string;
  readonly help: string;
  readonly options?: readonly Option[];
  /** Takes the arguments in the order of the usage. Throws AdminError, ApiError or Unavailable. */
  readonly run: (
    context: AdminContext,
    args: readonly string[],
    options: Options,
  ) => Promise<unknown>;
}

function readReason(given: string): string {
  if (given.length <= REASON_LENGTH_MAX) return given;
  throw new AdminError(`--reason is longer than ${REASON_LENGTH_MAX} characters. Shorten it.`);
}

export function readUserId(given = ''): string {
  const id = parseUserId(given);
  if (id !== null) return id;
  throw new AdminError(
    `${given} is neither the id of a user nor a link to a card. Look for the user with: find <phone|link|name>`,
  );
}

export function readPhone({ settings }: AdminContext, typed = ''): string {
  const parsed = toE164(typed, settings.otpCountries);
  if (parsed !== null) return parsed;
  throw new AdminError(
    `${typed} is not a phone number. Type it with its country code, such as +919876543210.`,
  );
}
