import * as z from 'zod/mini';

import { readDatabaseStatistics } from '#server/adapter/database/statistics.ts';
import { parseMobilePhone } from '#server/adapter/otp/phone.ts';

import { readAudit } from './audit.ts';
import {
  block,
  changePhone,
  endAllSessions,
  endSessions,
  remove,
  removeContact,
  unblock,
  unlock,
} from './change.ts';
import type { AdminContext } from './context.ts';
import { find, parsePhone } from './find.ts';
import {
  USER_HELP,
  contactCount,
  flag,
  json,
  parseInput,
  phone,
  reason,
  requiredReason,
  text,
  toUserId,
  userId,
  yes,
} from './parameter.ts';
import type { Input, Parameters, Values } from './parameter.ts';
import { checkPhotos } from './photo-check.ts';
import { readSessions, show, findUser } from './store.ts';
import { checkSettings, isRefused, sendTestCode } from './test-code.ts';

const LISTED_CONTACTS = 100;
/** In the place of an id: the sessions of all users. */
const ALL = 'all';

interface AdminCommand<P extends Parameters, Result> {
  readonly help: string;
  readonly parameters: P;
  readonly run: (context: AdminContext, input: Input<P>) => Promise<Result>;
  /** Whether the command exits with 1 after it has printed its result. */
  readonly isFailure?: (result: Result) => boolean;
}

interface Outcome {
  readonly result: unknown;
  readonly isFailed: boolean;
}

function command<const P extends Parameters, Result>({
  help,
  parameters,
  run,
  isFailure = () => false,
}: AdminCommand<P, Result>) {
  const shown: Parameters = parameters;
  return {
    help,
    parameters: shown,
    /** Takes the values of arguments and options. Throws AdminError, ApiError or Unavailable. */
    execute: async (context: AdminContext, values: Values): Promise<Outcome> => {
      const result = await run(context, parseInput(parameters, values));
      return { result, isFailed: isFailure(result) };
    },
  };
}

/** Every command (docs/admin.md). */
export const COMMANDS = {
  stats: command({ help: 'what the database contains', parameters: { json }, run: readStats }),
  find: command({
    help: "users by login phone, id, link to the card, or the start of the name; '*rao' finds any part (at most 50)",
    parameters: { wanted: { flags: '<phone|id|link|name>', schema: text }, json },
    run: find,
  }),
  show: command({
    help: 'the card, the login phone, the numbers of sessions and contacts, and the changes',
    parameters: {
      userId,
      contacts: {
        flags: '--contacts',
        help: 'list the contacts as well, the newest first',
        schema: flag,
      },
      limit: {
        flags: '--limit <number>',
        help: 'the most contacts to list',
        schema: contactCount,
        fallback: String(LISTED_CONTACTS),
      },
      json,
    },
    run: show,
  }),
  block: command({
    help: 'make a card unavailable, and reject saves and sign-ins of its owner',
    parameters: { userId, reason: requiredReason },
    run: block,
  }),
  unblock: command({
    help: 'show a blocked card again',
    parameters: { userId, reason },
    run: unblock,
  }),
  'change-phone': command({
    help: 'replace the login phone of an owner who has lost it, and end all sessions',
    parameters: {
      userId,
      phone: { ...phone, help: 'the new number, in any spelling' },
      reason: requiredReason,
    },
    run: (context, input) =>
      changePhone(context, { ...input, phone: parseMobilePhone(input.phone, context.countries) }),
  }),
  remove: command({
    help: 'remove a user with everything that is stored about the user',
    parameters: { userId, reason, yes },
    async run(context, input) {
      const { name, loginPhone } = await findUser(context, input.userId);
      await context.confirm(`Remove ${name || 'a user without a name'}, ${loginPhone}?`);
      return remove(context, input);
    },
  }),
  'remove-contact': command({
    help: "remove a visitor's details from an owner's list",
    parameters: {
      contactId: {
        flags: '<id>',
        help: 'id of a contact, from: show <id> --contacts',
        schema: text,
      },
      reason,
    },
    run: removeContact,
  }),
  unlock: command({
    help: 'end the lock of a phone after wrong codes',
    parameters: { phone, reason },
    run: (context, input) => unlock(context, { ...input, phone: parsePhone(context, input.phone) }),
  }),
  'send-test-code': command({
    help: 'send a code that is never valid by each gateway, and explain what the provider answers',
    parameters: {
      phone,
      check: {
        flags: '--check',
        help: 'send nothing, and ask the providers that can be asked without a message',
        schema: flag,
      },
      reason,
    },
    run: (context, input) =>
      input.check
        ? checkSettings(context)
        : sendTestCode(context, { ...input, phone: parsePhone(context, input.phone) }),
    isFailure: isRefused,
  }),
  sessions: command({
    help: 'list the sessions of a user, or end them',
    parameters: {
      user: { flags: '<id>', help: `${USER_HELP}, or with --end: ${ALL}`, schema: text },
      end: { flags: '--end', help: 'end them: the user signs in again', schema: flag },
      reason,
      yes,
    },
    async run(context, input) {
      if (!input.end) return readSessions(context, toUserId(input.user));
      if (input.user !== ALL) {
        return endSessions(context, { ...input, userId: toUserId(input.user) });
      }
      await context.confirm('End the sessions of all users?');
      return endAllSessions(context, input);
    },
  }),
  photos: command({
    help: 'compare the photos of cards with the photo store; exits with 1 for a difference',
    parameters: {
      check: {
        flags: '--check',
        help: 'compare, and change nothing',
        schema: z.literal(true),
        isRequired: true,
      },
    },
    run: checkPhotos,
    isFailure: ({ rowsWithoutFiles, filesWithoutRows }) =>
      rowsWithoutFiles.length > 0 || filesWithoutRows.length > 0,
  }),
  audit: command({
    help: 'the newest 100 changes that were made with these commands',
    parameters: {},
    run: ({ database }) => readAudit(database),
  }),
};

async function readStats({ database }: AdminContext) {
  const counts = await database.one<{ blocked: number; sessions: number }>(
    `SELECT COUNT(blocked_at) AS blocked, (SELECT COUNT(*) FROM sessions) AS sessions FROM users`,
  );
  return { ...(await readDatabaseStatistics(database)), ...counts };
}
