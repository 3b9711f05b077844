import { Option } from 'commander';

import { toE164 } from '#server/adapter/otp/phone.ts';

import { AdminError } from './context.ts';
import type { AdminContext } from './context.ts';
import { parseUserId } from './store.ts';

const REASON_LENGTH_MAX = 1000;

export interface Options {
  readonly reason: string;
  readonly check?: true;
  readonly contacts?: true;
  readonly end?: true;
  readonly json?: true;
  readonly name?: string;
  readonly to?: string;
  readonly apply?: true;
  readonly overwrite?: true;
  readonly remove?: true;
  readonly reserve?: true;
  readonly links?: string;
  readonly qr?: string;
  readonly yes?: true;
}

export const json = new Option('--json', 'print the result as JSON');
export const yes = new Option('--yes', 'skip the confirmation');
const newReason = () =>
  new Option('--reason <text>', 'why; stored in the audit table').argParser(readReason);
export const reason = newReason();
export const requiredReason = newReason().makeOptionMandatory();

export interface AdminCommand {
  readonly usage: string;
  readonly help: string;
  readonly options: readonly Option[];
  /** Takes the arguments in the order of the usage. Throws AdminError, ApiError or Unavailable. */
  readonly run: (
    context: AdminContext,
    args: readonly string[],
    options: Options,
  ) => Promise<unknown>;
}

function readReason(given: string): string {
  if (given.length <= REASON_LENGTH_MAX) return given;
  throw new AdminError(`--reason is longer than ${REASON_LENGTH_MAX} characters.`);
}

export function readUserId(given = ''): string {
  const id = parseUserId(given);
  if (id !== null) return id;
  throw new AdminError(`${given} is not the id of a user and not a link to a card.`);
}

export function readPhone({ settings }: AdminContext, typed = ''): string {
  const parsed = toE164(typed, settings.otpCountries);
  if (parsed !== null) return parsed;
  throw new AdminError(`${typed} is not a phone.`);
}
