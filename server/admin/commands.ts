import * as z from 'zod/mini';

import { readDatabaseStatistics } from '#server/db/statistics.ts';
import { parseMobilePhone, toE164 } from '#server/otp/phone.ts';

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
import type { Operator } from './change.ts';
import { AdminError } from './context.ts';
import type { AdminContext } from './context.ts';
import { checkPhotos } from './photo-check.ts';
import {
  findById,
  findByName,
  findByPhone,
  parseUserId,
  readContacts,
  readSessions,
  readUser,
} from './store.ts';

const CONTACT_ID_LENGTH_MAX = 100;
const REASON_LENGTH_MAX = 1000;
const ACTOR_LENGTH_MAX = 100;
const TEXT_LENGTH_MAX = 1000;
/** The most contacts that `show` lists. */
export const CONTACTS_MAX = 10_000;

/** The id of a user, or a link to the card. Its output is the id. */
const userId = z.pipe(
  z.string(),
  z.transform((text: string) => {
    const id = parseUserId(text);
    if (id === null)
      throw new AdminError(`${text} is not the id of a user and not a link to a card.`);
    return id;
  }),
);
const text = z.string().check(z.maxLength(TEXT_LENGTH_MAX));
const operator = {
  actor: z.string().check(z.maxLength(ACTOR_LENGTH_MAX)),
  reason: z.string().check(z.maxLength(REASON_LENGTH_MAX)),
};

/** Returns a command with the input that its schema accepts. */
function command<Schema extends z.ZodMiniType>(
  schema: Schema,
  run: (context: AdminContext, input: z.output<Schema>) => Promise<unknown>,
) {
  return (context: AdminContext, input: unknown) => {
    const parsed = schema.safeParse(input);
    if (!parsed.success) {
      throw new AdminError('The input is too long, or the service is of another version.');
    }
    return run(context, parsed.data);
  };
}

/** Returns a command that changes one user. */
function userChange(
  run: (context: AdminContext, id: string, operator: Operator) => Promise<unknown>,
) {
  return command(z.object({ userId, ...operator }), (context, input) =>
    run(context, input.userId, input),
  );
}

/** Every command by name. The input arrives through a socket, so each one has a schema. */
const COMMANDS: Readonly<Record<string, ReturnType<typeof command>>> = {
  stats: command(z.object({}), readStats),
  find: command(z.object({ text }), (context, input) => find(context, input.text)),
  show: command(
    z.object({ userId, contactsMax: z.int().check(z.gte(0), z.lte(CONTACTS_MAX)) }),
    show,
  ),
  block: userChange(block),
  unblock: userChange(unblock),
  remove: userChange(remove),
  'remove-contact': command(
    z.object({
      contactId: z.string().check(z.maxLength(CONTACT_ID_LENGTH_MAX)),
      ...operator,
    }),
    (context, input) => removeContact(context, input.contactId, input),
  ),
  unlock: command(z.object({ phone: text, ...operator }), (context, input) =>
    unlock(context, parsePhone(context, input.phone), input),
  ),
  'change-phone': command(z.object({ userId, phone: text, ...operator }), (context, input) =>
    changePhone(context, { ...input, phone: parseMobilePhone(input.phone, context.countries) }),
  ),
  sessions: command(z.object({ userId }), (context, input) => readSessions(context, input.userId)),
  'end-sessions': userChange(endSessions),
  'end-all-sessions': command(z.object(operator), endAllSessions),
  photos: command(z.object({}), checkPhotos),
  audit: command(z.object({}), ({ database }) => readAudit(database)),
};

/** Runs a command and returns what it prints as JSON. Throws AdminError, ApiError or Unavailable. */
export async function runCommand(context: AdminContext, name: string, input: unknown) {
  const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!run) throw new AdminError(`The service does not know the command ${name}.`);
  return run(context, input);
}

async function readStats({ database }: AdminContext) {
  const counts = await database.one<{ blocked: number; sessions: number }>(
    `SELECT COUNT(blocked_at) AS blocked, (SELECT COUNT(*) FROM sessions) AS sessions FROM users`,
  );
  return { ...(await readDatabaseStatistics(database)), ...counts };
}

/** Finds users by a link to the card, an id, a login phone or a part of the name. */
async function find({ database, countries }: AdminContext, wanted: string) {
  const id = parseUserId(wanted);
  const found = id === null ? [] : await findById(database, id);
  if (found.length > 0) return found;
  const phone = toE164(wanted, countries);
  return phone === null ? findByName(database, wanted) : findByPhone(database, phone);
}

async function show(
  { database }: AdminContext,
  { userId: id, contactsMax }: { readonly userId: string; readonly contactsMax: number },
) {
  const user = await readUser(database, id);
  if (!user) throw new AdminError(`There is no user ${id}.`);
  return {
    ...user,
    audit: await readAudit(database, id),
    ...(contactsMax > 0 ? { contactList: await readContacts(database, id, contactsMax) } : {}),
  };
}

function parsePhone({ countries }: AdminContext, typed: string): string {
  const phone = toE164(typed, countries);
  if (phone === null) throw new AdminError(`${typed} is not a phone.`);
  return phone;
}
