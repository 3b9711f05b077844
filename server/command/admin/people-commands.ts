import { Option } from 'commander';

import { parseLoginPhone, parseMobilePhone } from '#server/adapter/otp/phone.ts';

import { importPeople } from './import.ts';
import { setLoginEmail, unbind } from './login-email.ts';
import { readPhone, readUserId, reason, required, requiredReason } from './options.ts';
import type { AdminCommand } from './options.ts';
import { invite, leave, listInvitations, removeAddresses, withdrawInvitation } from './people.ts';
import { resolveAddress } from './store.ts';
import { wake } from './wake.ts';

/** The commands that admit people, and change how they sign in (docs/operate/admin.md#people). */
export const PEOPLE_COMMANDS: readonly AdminCommand[] = [
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
    run: (context, [who = '', typed], options) =>
      setLoginEmail(context, { who, typed, ...options }),
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
    async run(context, [id], { to = '', reason: why }) {
      const colleague = readUserId(await resolveAddress(context.database, to));
      return leave(context, { userId: readUserId(id), to: colleague, reason: why });
    },
  },
  {
    usage: 'wake <id> <phone>',
    help: 'Let an owner sign in again after DORMANT_DAYS, or with another number if theirs was handed on.',
    options: [requiredReason],
    run(context, [id, typed = ''], options) {
      const phone = parseMobilePhone(typed, context.settings.otpCountries);
      return wake(context, { userId: readUserId(id), phone, ...options });
    },
  },
];
