import { Command, Option } from 'commander';

import { readDatabaseStatistics } from '#server/adapter/database/statistics.ts';
import { parseMobilePhone } from '#server/adapter/otp/phone.ts';
import { VERSION } from '#server/version.ts';

import { readAudit } from './audit.ts';
import {
  ALL,
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
import { json, readPhone, readUserId, reason, requiredReason, yes } from './options.ts';
import type { AdminCommand, Options } from './options.ts';
import { PEOPLE_COMMANDS } from './people-commands.ts';
import { checkPhotos } from './photo-check.ts';
import { find, findUser, readSessions, show } from './store.ts';
import { checkSettings, sendTestCode } from './test-code.ts';

/** Every command but doctor (docs/operating.md#admin). */
const COMMANDS: readonly AdminCommand[] = [
  {
    usage: 'stats',
    help: 'what the database contains',
    options: [json],
    run: readStats,
  },
  {
    usage: 'find <phone|id|link|name>',
    help: "users by login phone, id, link to the card, address (@asha-rao), or the start of the name; '*rao' finds any part (at most 50)",
    options: [json],
    run: (context, [wanted = '']) => find(context, wanted),
  },
  {
    usage: 'show <id>',
    help: 'the card, the login phone, the numbers of sessions and contacts, and the changes',
    options: [
      new Option('--contacts', 'list the contacts as well, the newest first (at most 10,000)'),
      json,
    ],
    run: (context, [id], options) => show(context, { userId: readUserId(id), ...options }),
  },
  {
    usage: 'block <id>',
    help: 'make a card unavailable, and reject saves and sign-ins of its owner',
    options: [requiredReason],
    run: (context, [id], options) => block(context, { userId: readUserId(id), ...options }),
  },
  {
    usage: 'unblock <id>',
    help: 'show a blocked card again',
    options: [reason],
    run: (context, [id], options) => unblock(context, { userId: readUserId(id), ...options }),
  },
  {
    usage: 'change-phone <id> <phone>',
    help: 'replace the login phone of an owner who has lost it, and end all sessions',
    options: [requiredReason],
    run(context, [id, typed = ''], options) {
      const phone = parseMobilePhone(typed, context.settings.otpCountries);
      return changePhone(context, { userId: readUserId(id), phone, ...options });
    },
  },
  {
    usage: 'remove <id>',
    help: 'remove a user with everything that is stored about the user',
    options: [reason, yes],
    async run(context, [id], options) {
      const userId = readUserId(id);
      const { name, loginPhone } = await findUser(context, userId);
      await context.confirm(`Remove ${name || 'a user without a name'}, ${loginPhone}?`);
      return remove(context, { userId, ...options });
    },
  },
  {
    usage: 'remove-contact <id>',
    help: "remove a visitor's details from an owner's list; its id is from: show <id> --contacts",
    options: [reason],
    run: (context, [contactId = ''], options) => removeContact(context, { contactId, ...options }),
  },
  {
    usage: 'unlock <phone>',
    help: 'end the lock of a phone after wrong codes',
    options: [reason],
    run: (context, [phone], options) =>
      unlock(context, { phone: readPhone(context, phone), ...options }),
  },
  {
    usage: 'send-test-code <phone>',
    help: 'send a code that is never valid by each gateway, and explain what the provider answers',
    options: [
      new Option(
        '--check',
        'send nothing, and ask the providers that can be asked without a message',
      ),
      reason,
    ],
    run: (context, [phone], options) =>
      options.check
        ? checkSettings(context)
        : sendTestCode(context, { phone: readPhone(context, phone), ...options }),
  },
  {
    usage: 'sessions <id>',
    help: `list the sessions of a user, or end them; with --end ${ALL} in the place of an id ends those of all users`,
    options: [new Option('--end', 'end them: the user signs in again'), reason, yes],
    async run(context, [id], options) {
      if (!options.end) return readSessions(context, readUserId(id));
      if (id !== ALL) return endSessions(context, { userId: readUserId(id), ...options });
      await context.confirm('End the sessions of all users?');
      return endAllSessions(context, options);
    },
  },
  ...PEOPLE_COMMANDS,
  {
    usage: 'photos',
    help: 'compare the photos of cards with the photo store; exits with 1 for a difference',
    options: [new Option('--check', 'compare, and change nothing').makeOptionMandatory()],
    run: checkPhotos,
  },
  {
    usage: 'audit',
    help: 'the newest 100 changes that were made with these commands',
    options: [],
    run: ({ database }) => readAudit(database),
  },
];

type RunCommand = (
  work: (context: AdminContext) => Promise<unknown>,
  options: Pick<Options, 'json' | 'yes'>,
) => Promise<void>;

export function createProgram(runCommand: RunCommand): Command {
  const program = new Command('admin')
    .description(
      'Operates a Tessera, also while it runs. Needs the settings of the service. An <id> is that of a user, or a link to the card; a <phone> is in any spelling.',
    )
    .version(VERSION)
    .showHelpAfterError('(add --help for all commands)');
  for (const { usage, help, options, run } of COMMANDS) {
    const command = program.command(usage).description(help);
    for (const option of options) command.addOption(option);
    command.action(() => {
      const values = { reason: '', ...command.opts<Partial<Options>>() };
      return runCommand((context) => run(context, command.args, values), values);
    });
  }
  return program;
}

async function readStats({ database }: AdminContext) {
  const counts = await database.one<Record<'blocked' | 'sessions' | 'invitations', number>>(
    `SELECT COUNT(blocked_at) AS blocked, (SELECT COUNT(*) FROM sessions) AS sessions,
      (SELECT COUNT(*) FROM invitations) AS invitations FROM users`,
  );
  return { ...(await readDatabaseStatistics(database)), ...counts };
}
