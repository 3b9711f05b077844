import { Command, Option } from 'commander';

import { parseMobilePhone, parseLoginPhone } from '#server/adapter/otp/phone.ts';
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
import { checkPhotos } from './photo-check.ts';
import { find, findUser, readSessions, readStats, show } from './store.ts';
import { checkSettings, sendTestCode } from './test-code.ts';
import { importPeople } from './import.ts';
import { invite, leave, listInvitations, takeAddress, withdrawInvitation } from './people.ts';

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
      new Option('--check', 'send nothing; ask the providers that can be asked without a message'),
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
  {
    usage: 'invite <phone>',
    help: 'let a phone sign up, with SIGNUP=invited',
    options: [new Option('--name <text>', 'what the card begins with'), reason],
    run(context, [typed = ''], options) {
      const phone = parseLoginPhone(typed, context.settings.otpCountries);
      return invite(context, { phone, ...options });
    },
  },
  {
    usage: 'uninvite <phone>',
    help: 'withdraw an invitation that is not used',
    options: [reason],
    run: (context, [phone], options) =>
      withdrawInvitation(context, { phone: readPhone(context, phone), ...options }),
  },
  {
    usage: 'invitations',
    help: 'list the invitations that are not used',
    options: [],
    run: listInvitations,
  },
  {
    usage: 'import <file>',
    help: 'create cards from a CSV file with a column phone, and change what LOCKED_FIELDS names; says what it would do',
    options: [
      new Option('--apply', 'do it'),
      new Option('--overwrite', 'change the other fields of cards that exist too'),
      new Option('--links <file>', 'write a CSV file with the links to the cards'),
      new Option('--qr <folder>', 'write the QR code of each card, <id>.svg'),
      reason,
    ],
    run: (context, [file = ''], options) => importPeople(context, { file, ...options }),
  },
  {
    usage: 'address <id>',
    help: 'take every address away that a card has or had',
    options: [
      new Option('--remove', 'do it').makeOptionMandatory(),
      new Option('--reserve', 'nobody can choose them again'),
      reason,
    ],
    run: (context, [id], options) => takeAddress(context, { userId: readUserId(id), ...options }),
  },
  {
    usage: 'leave <id>',
    help: 'block the card of somebody who leaves, free the phone, and hand the contacts to a colleague',
    options: [new Option('--to <id>', 'the colleague').makeOptionMandatory(), requiredReason],
    run: (context, [id], { to, reason: why }) =>
      leave(context, { userId: readUserId(id), to: readUserId(to), reason: why }),
  },
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
