import { Option } from 'commander';

import { parseLoginPhone } from '#server/adapter/otp/phone.ts';

import { importPeople } from './import.ts';
import { readPhone, readUserId, reason, requiredReason } from './options.ts';
import type { AdminCommand } from './options.ts';
import { invite, leave, listInvitations, takeAddress, withdrawInvitation } from './people.ts';

/** docs/operating.md#people. */
export const PEOPLE_COMMANDS: readonly AdminCommand[] = [
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
];
