import { Readable } from 'node:stream';

import { makeZip } from 'client-zip';

import { getUser } from '#contract/user.ts';
import type { AccountSession } from '#contract/account.ts';
import type { Appearance } from '#domain/appearance.ts';
import type { withLinks } from '#domain/extras.ts';
import { CONTACTS_PER_DAY_MAX } from '#domain/lead.ts';
import type { Profile } from '#domain/profile.ts';
import type { Translations } from '#domain/translation.ts';
import { writeVcard } from '#domain/vcard.ts';
import { VISIT_DAYS_MAX } from '#domain/visit.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { readContactPages } from '#server/feature/contact/contacts.ts';
import type { ContactUsage } from '#server/feature/contact/contacts.ts';
import { writeContactCsv, writeContactVcards } from '#server/feature/contact/contact-export.ts';
import { toE164 } from '#server/adapter/profile/phone.ts';

const INDENT = 2;

export interface ArchiveContent {
  readonly profile: Profile;
  readonly sessions: readonly AccountSession[];
  readonly photo: Uint8Array | null;
  readonly appearance: Appearance;
  readonly logo: Uint8Array | null;
  readonly extras: ReturnType<typeof withLinks> | null;
  readonly translations: Translations | null;
  readonly address: { readonly name: string | null; readonly former: readonly string[] };
  readonly loginPhone: string;
  readonly productName: string;
  readonly countsVisits: boolean;
  readonly timeZone: string;
  readonly usage: ContactUsage;
  readonly now: number;
}

/** Written while it is read, so that only one page of the contacts is in memory. */
export function createArchive(database: Database, content: ArchiveContent): Readable {
  const lastModified = new Date(content.now);
  const { profile, usage, timeZone, extras, translations } = content;
  const contactPages = () => readContactPages(database, profile._id);
  const files = [
    { name: 'README.txt', input: readme(content) },
    { name: 'card.json', input: `${json(getUser.reply.parse(profile))}\n` },
    { name: 'card.vcf', input: writeVcard({ ...profile, phone: toE164(profile.phone) }) },
    ...(content.photo ? [{ name: 'photo.jpg', input: content.photo }] : []),
    { name: 'look.json', input: `${json(content.appearance)}\n` },
    ...(content.logo ? [{ name: 'logo.webp', input: content.logo }] : []),
    ...(extras ? [{ name: 'extras.json', input: `${json(extras)}\n` }] : []),
    ...(translations ? [{ name: 'translations.json', input: `${json(translations)}\n` }] : []),
    { name: 'address.json', input: `${json(content.address)}\n` },
    { name: 'contacts.csv', input: writeContactCsv(contactPages(), { usage, timeZone }) },
    { name: 'contacts.vcf', input: writeContactVcards(contactPages()) },
    { name: 'sessions.json', input: `${json(content.sessions)}\n` },
  ];
  const zip = makeZip(files.map((file) => ({ ...file, lastModified })));
  return Readable.fromWeb(zip, { highWaterMark: 0 });
}

const json = (value: unknown) => JSON.stringify(value, null, INDENT);

function readme(content: ArchiveContent): string {
  const { productName, loginPhone, now, photo, logo, countsVisits, timeZone, usage } = content;
  return `${[
    `Your data at ${productName}, as of ${new Date(now).toISOString()} (UTC).`,
    '',
    'card.json          Your card, as the public API returns it.',
    'card.vcf           Your card for an address book.',
    ...(photo ? ['photo.jpg          Your photo.'] : []),
    'look.json          The look that you have chosen for your card.',
    ...(logo ? ['logo.webp          Your logo.'] : []),
    ...(content.extras ? ['extras.json        What your card has besides.'] : []),
    ...(content.translations ? ['translations.json  Your card in other languages.'] : []),
    'address.json       The address of your card, and those that it had before.',
    'contacts.csv       The details that visitors left on your card, for a spreadsheet. UTF-8.',
    `                   Times are in ${timeZone}. Note and Tags are yours.`,
    ...(usage.held
      ? [
          `                   Held: one of many from one place, or after the first ${CONTACTS_PER_DAY_MAX} of its day.`,
        ]
      : []),
    ...(usage.notices
      ? ['                   Notice: the version of the notice that the visitor saw.']
      : []),
    '                   What begins with = + - @ has an apostrophe before it, so that no',
    '                   spreadsheet executes what a visitor wrote.',
    'contacts.vcf       The same for an address book.',
    'sessions.json      Where you are signed in. Times are in UTC.',
    '',
    `You sign in with ${loginPhone}. Besides, the service counts codes and contacts for its limits;`,
    'a count is deleted after a day. While Notify me is on, it stores the address of your browser',
    'at its push service.',
    ...(countsVisits
      ? [`The visits of your card are counted by day, for ${VISIT_DAYS_MAX} days, without names.`]
      : []),
  ].join('\r\n')}\r\n`;
}
