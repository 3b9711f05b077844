import { Option } from 'commander';

import { parseMobilePhone } from '#server/adapter/otp/phone.ts';

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
import { json, readPhone, readUserId, reason, required, requiredReason, yes } from './options.ts';
import type { AdminCommand } from './options.ts';
import { checkPhotos } from './photo-check.ts';
import { find, findUser, readSessions, readStats, show } from './store.ts';
import { sendTestCode, testSettings } from './test-code.ts';
import { PEOPLE_COMMANDS } from './people-commands.ts';

/** Every command except doctor, which also works without a database (docs/operate/admin.md#admin). */
export const COMMANDS: readonly AdminCommand[] = [
  {
    usage: 'stats',
    help: 'Count what the database contains.',
    options: [json],
    run: readStats,
  },
  {
    usage: 'find <phone|id|link|name>',
    help: "Find at most 50 users by login phone, id, link to the card, address (@asha-rao), or the start of the name. '*rao' finds any part of a name. For a phone, also list what a visitor with it has left on cards.",
    options: [json],
    run: (context, [wanted = '']) => find(context, wanted),
  },
  {
    usage: 'show <id>',
    help: 'Show the card of a user, the login phone, how many sessions, passkeys and contacts there are, and what operators changed.',
    options: [
      new Option('--contacts', 'List at most 10,000 contacts too, the newest first.'),
      json,
    ],
    run: (context, [id], options) => show(context, { userId: readUserId(id), ...options }),
  },
  {
    usage: 'block <id>',
    help: 'Hide a card from everybody, and let its owner neither save nor sign in.',
    options: [requiredReason],
    run: (context, [id], options) => block(context, { userId: readUserId(id), ...options }),
  },
  {
    usage: 'unblock <id>',
    help: 'Make a blocked card visible again.',
    options: [reason],
    run: (context, [id], options) => unblock(context, { userId: readUserId(id), ...options }),
  },
  {
    usage: 'change-phone <id> <phone>',
    help: 'Replace the login phone of an owner who has lost it, end all sessions, and remove the passkeys.',
    options: [requiredReason],
    run(context, [id, typed = ''], options) {
      const phone = parseMobilePhone(typed, context.settings.otpCountries);
      return changePhone(context, { userId: readUserId(id), phone, ...options });
    },
  },
  {
    usage: 'remove <id>',
    help: 'Remove a user and everything that is stored about the user.',
    options: [reason, yes],
    async run(context, [id], options) {
      const userId = readUserId(id);
      const { name, loginPhone } = await findUser(context, userId);
      const user = [name || 'a user without a name', loginPhone && `(${loginPhone})`]
        .join(' ')
        .trim();
      await context.confirm(`Remove ${user} and everything that is stored about the user?`);
      return remove(context, { userId, ...options });
    },
  },
  {
    usage: 'remove-contact <id>',
    help: "Remove a visitor's details from an owner's list. Find the id with: show <id> --contacts",
    options: [reason],
    run: (context, [contactId = ''], options) => removeContact(context, { contactId, ...options }),
  },
  {
    usage: 'unlock <phone>',
    help: 'Unlock a phone that is locked after wrong codes.',
    options: [reason],
    run: (context, [phone], options) =>
      unlock(context, { phone: readPhone(context, phone), ...options }),
  },
  {
    usage: 'send-test-code <phone>',
    help: 'Send a code that is never valid through each gateway, and explain the answer of the provider.',
    options: [
      new Option(
        '--check',
        'Send nothing. Ask the providers only whether they accept the settings.',
      ),
      reason,
    ],
    run: (context, [phone], options) =>
      options.check
        ? testSettings(context)
        : sendTestCode(context, { phone: readPhone(context, phone), ...options }),
  },
  {
    usage: 'sessions <id>',
    help: `List the sessions of a user, or end them and remove the passkeys. Type ${ALL} instead of an id to end the sessions of all users.`,
    options: [new Option('--end', 'End the sessions and remove the passkeys.'), reason, yes],
    async run(context, [id], options) {
      if (!options.end) return readSessions(context, readUserId(id));
      if (id !== ALL) return endSessions(context, { userId: readUserId(id), ...options });
      await context.confirm('End the sessions of all users, and remove their passkeys?');
      return endAllSessions(context, options);
    },
  },
  ...PEOPLE_COMMANDS,
  {
    usage: 'photos',
    help: 'Compare the photos of all cards with the photo store. Exit with 1 if they differ.',
    options: [required('--check', 'compare, and change nothing.')],
    run: checkPhotos,
  },
  {
    usage: 'audit',
    help: 'List the newest 100 changes that were made with these commands.',
    run: ({ database }) => readAudit(database),
  },
];
