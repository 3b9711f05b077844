import { Option } from 'commander';

import { parseMobilePhone, parseLoginPhone } from '#server/adapter/otp/phone.ts';

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
import { importPeople } from './import.ts';
import { setLoginEmail, unbind } from './login-email.ts';
import { invite, leave, listInvitations, removeAddresses, withdrawInvitation } from './people.ts';

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
    help: 'Show the card of a user, the login phone, how many sessions and contacts there are, and what operators changed.',
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
    help: 'Replace the login phone of an owner who has lost it, and end all sessions.',
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
      await context.confirm(
        `Remove ${name || 'a user without a name'} (${loginPhone}) and everything that is stored about the user?`,
      );
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
    help: `List the sessions of a user, or end them. Type ${ALL} instead of an id to end the sessions of all users.`,
    options: [
      new Option('--end', 'End the sessions, so that the user has to sign in again.'),
      reason,
      yes,
    ],
    async run(context, [id], options) {
      if (!options.end) return readSessions(context, readUserId(id));
      if (id !== ALL) return endSessions(context, { userId: readUserId(id), ...options });
      await context.confirm('End the sessions of all users?');
      return endAllSessions(context, options);
    },
  },
  {
    usage: 'invite <phone>',
    help: 'Invite a phone number, so that it can sign up if SIGNUP is invited or if its codes go to an email.',
    options: [
      new Option('--name <text>', 'Begin the card with this name.'),
      new Option('--email <email>', 'Send the codes to this email if SMS_GATEWAY has email.'),
      reason,
    ],
    run(context, [typed = ''], options) {
      const phone = parseLoginPhone(typed, context.settings.otpCountries);
      return invite(context, { phone, ...options });
    },
  },
  {
    usage: 'login-email <id|phone> [email]',
    help: 'Set the email to which the codes of an owner are sent if SMS_GATEWAY has email, and notify the owner.',
    options: [new Option('--remove', 'Send no more codes by email.'), reason],
    run: (context, [who = '', typed], rest) => setLoginEmail(context, { who, typed, ...rest }),
  },
  {
    usage: 'unbind <id>',
    help: "Release the person at your company's login who signs in to an account, if OTP_PROVIDER is oidc.",
    options: [requiredReason],
    run: (context, [id], options) => unbind(context, { userId: readUserId(id), ...options }),
  },
  {
    usage: 'uninvite <phone>',
    help: 'Withdraw an invitation that was not used.',
    options: [reason],
    run: (context, [phone], options) =>
      withdrawInvitation(context, { phone: readPhone(context, phone), ...options }),
  },
  {
    usage: 'invitations',
    help: 'List the invitations that were not used.',
    run: listInvitations,
  },
  {
    usage: 'import <file>',
    help: 'Create cards from a CSV file with a column phone, and change the fields in LOCKED_FIELDS of existing cards. Without --apply, only say what would happen.',
    options: [
      new Option('--apply', 'Create and change the cards.'),
      new Option('--overwrite', 'Change all fields of existing cards.'),
      new Option('--links <file>', 'Write a CSV file with the links to the cards.'),
      new Option('--qr <folder>', 'Write the QR code of each card to <id>.svg.'),
      reason,
    ],
    run: (context, [file = ''], options) => importPeople(context, { file, ...options }),
  },
  {
    usage: 'address <id>',
    help: 'Remove every address that a card has or had.',
    options: [
      required('--remove', 'remove the addresses.'),
      new Option('--reserve', 'Let nobody choose these addresses again.'),
      reason,
    ],
    run: (context, [id], options) =>
      removeAddresses(context, { userId: readUserId(id), ...options }),
  },
  {
    usage: 'leave <id>',
    help: 'Block the card of somebody who leaves, free the phone, and hand the contacts to a colleague.',
    options: [required('--to <id>', 'the colleague who gets the contacts.'), requiredReason],
    run: (context, [id], { to, reason: why }) =>
      leave(context, { userId: readUserId(id), to: readUserId(to), reason: why }),
  },
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
