import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';

import { Command, InvalidArgumentError } from 'commander';

import { Unavailable } from '#server/db/database.ts';
import { ApiError } from '#server/error.ts';
import { openLogOutput } from '#server/log-output.ts';
import { openLog } from '#server/log.ts';
import { setPrivateUmask } from '#server/private-files.ts';
import { readSettings } from '#server/settings.ts';
import { StartError } from '#server/start-error.ts';
import { VERSION } from '#server/version.ts';

import { CONTACTS_MAX } from './commands.ts';
import { execute } from './connect.ts';
import { AdminError } from './context.ts';
import { formatResult } from './format.ts';

/** The file descriptor of the log: standard output has only the result. */
const STANDARD_ERROR = 2;
const USER_HELP = 'id of a user, or a link to the card';
const REASON = ['--reason <text>', 'why; stored in the audit table', ''] as const;
const YES = ['--yes', 'skip the confirmation'] as const;
const ALL = 'all';
const LISTED_CONTACTS = 100;

const program = new Command('admin')
  .description('Operates a Tessera, also while it runs. Needs the settings of the service.')
  .version(VERSION)
  .option('--json', 'print the result as JSON')
  .showHelpAfterError('(add --help for all commands)');

async function send(name: string, input: object = {}): Promise<unknown> {
  const settings = readSettings(process.env);
  const { log } = openLog(settings.logLevel, settings.nodeName, openLogOutput(STANDARD_ERROR));
  return execute(settings, { name, input }, log);
}

/** Sends a change with the name of the operator. */
function sendChange(name: string, input: Readonly<Record<string, string>>) {
  return send(name, { ...input, actor: operatorName() });
}

function operatorName(): string {
  const { SUDO_USER, USER } = process.env;
  if (SUDO_USER || USER) return SUDO_USER || USER || '';
  try {
    return userInfo().username;
  } catch {
    // In a container the id of the user may have no name.
    return `uid ${process.getuid?.() ?? ''}`;
  }
}

function print(result: unknown): void {
  const { json } = program.opts<{ json?: true }>();
  const output = json ? JSON.stringify(result, null, 2) : formatResult(result);
  process.stdout.write(`${output}\n`);
}

/** Throws AdminError unless the operator types yes. */
async function confirm(question: string, isConfirmed: boolean | undefined): Promise<void> {
  if (isConfirmed) return;
  if (!process.stdin.isTTY)
    throw new AdminError('Add --yes: nobody can confirm without a terminal.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} Type yes: `);
  terminal.close();
  if (answer.trim().toLowerCase() !== 'yes') throw new AdminError('Nothing was changed.');
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= CONTACTS_MAX) return limit;
  throw new InvalidArgumentError(`It must be a number from 1 to ${CONTACTS_MAX}.`);
}

interface ChangeOptions {
  readonly reason: string;
  readonly yes?: true;
}

program
  .command('stats')
  .description('what the database contains')
  .action(async () => print(await send('stats')));

program
  .command('find')
  .description('users by login phone, id, link to the card, or a part of the name (at most 50)')
  .argument('<phone|id|link|name>')
  .action(async (text: string) => print(await send('find', { text })));

program
  .command('show')
  .description('the card, the login phone, the numbers of sessions and contacts, and the changes')
  .argument('<id>', USER_HELP)
  .option('--contacts', 'list the contacts as well, the newest first')
  .option('--limit <number>', 'the most contacts to list', parseLimit, LISTED_CONTACTS)
  .action(async (userId: string, { contacts, limit }: { contacts?: true; limit: number }) =>
    print(await send('show', { userId, contactsMax: contacts ? limit : 0 })),
  );

program
  .command('block')
  .description('make a card unavailable, and reject saves and sign-ins of its owner')
  .argument('<id>', USER_HELP)
  .requiredOption(REASON[0], REASON[1])
  .action(async (userId: string, { reason }: ChangeOptions) =>
    print(await sendChange('block', { userId, reason })),
  );

program
  .command('change-phone')
  .description('replace the login phone of an owner who has lost it, and end all sessions')
  .argument('<id>', USER_HELP)
  .argument('<phone>', 'the new number, in any spelling')
  .requiredOption(REASON[0], REASON[1])
  .action(async (userId: string, phone: string, { reason }: ChangeOptions) =>
    print(await sendChange('change-phone', { userId, phone, reason })),
  );

program
  .command('remove')
  .description('remove a user with everything that is stored about the user')
  .argument('<id>', USER_HELP)
  .option(...REASON)
  .option(...YES)
  .action(async (userId: string, { yes, reason }: ChangeOptions) => {
    const user = (await send('show', { userId, contactsMax: 0 })) as Record<
      'name' | 'loginPhone',
      string
    >;
    await confirm(`Remove ${user.name || 'a user without a name'}, ${user.loginPhone}?`, yes);
    print(await sendChange('remove', { userId, reason }));
  });

/** The changes whose only option is the reason; `key` is the argument's key in the input. */
const CHANGES = [
  {
    name: 'unblock',
    description: 'show a blocked card again',
    argument: ['<id>', USER_HELP],
    key: 'userId',
  },
  {
    name: 'remove-contact',
    description: "remove a visitor's details from an owner's list",
    argument: ['<id>', 'id of a contact, from: show <id> --contacts'],
    key: 'contactId',
  },
  {
    name: 'unlock',
    description: 'end the lock of a phone after wrong codes',
    argument: ['<phone>', 'in any spelling'],
    key: 'phone',
  },
] as const;

for (const { name, description, argument, key } of CHANGES) {
  const [placeholder, help] = argument;
  program
    .command(name)
    .description(description)
    .argument(placeholder, help)
    .option(...REASON)
    .action(async (value: string, { reason }: ChangeOptions) =>
      print(await sendChange(name, { [key]: value, reason })),
    );
}

program
  .command('sessions')
  .description('list the sessions of a user, or end them')
  .argument('<id>', `${USER_HELP}, or with --end: ${ALL}`)
  .option('--end', 'end them: the user signs in again')
  .option(...REASON)
  .option(...YES)
  .action(async (userId: string, { end, yes, reason }: ChangeOptions & { end?: true }) => {
    if (!end) return print(await send('sessions', { userId }));
    if (userId !== ALL) return print(await sendChange('end-sessions', { userId, reason }));
    await confirm('End the sessions of all users?', yes);
    print(await sendChange('end-all-sessions', { reason }));
  });

program
  .command('photos')
  .description('compare the photos of cards with the photo store; exits with 1 for a difference')
  .requiredOption('--check', 'compare, and change nothing')
  .action(async () => {
    const result = (await send('photos')) as Record<string, readonly unknown[]>;
    print(result);
    const differences = [result['rowsWithoutFiles'], result['filesWithoutRows']];
    if (differences.some((list) => list && list.length > 0)) process.exitCode = 1;
  });

program
  .command('audit')
  .description('the newest 100 changes that were made with these commands')
  .action(async () => print(await send('audit')));

try {
  setPrivateUmask();
  await program.parseAsync();
} catch (error) {
  const isForOperator =
    error instanceof AdminError ||
    error instanceof StartError ||
    error instanceof ApiError ||
    error instanceof Unavailable;
  process.stderr.write(`${isForOperator ? error.message : `It failed. ${String(error)}`}\n`);
  process.exitCode = 1;
}
