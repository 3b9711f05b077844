import { Readable } from 'node:stream';

import { makeZip } from 'client-zip';

import { getUser } from '#contract/user.ts';
import { ARCHIVE_VERSION } from '#domain/archive.ts';
import type { ArchiveFile } from '#domain/archive.ts';
import { CONTACTS_PER_DAY_MAX } from '#domain/lead.ts';
import { PHOTO_LARGE_SIDE_PX, PHOTO_SIDE_PX_MAX } from '#domain/photo.ts';
import { cardPath } from '#domain/share.ts';
import { writeVcard } from '#domain/vcard.ts';
import { VISIT_DAYS_MAX } from '#domain/visit.ts';
import { findInvited } from '#server/adapter/otp/store.ts';
import { findOwnAddress } from '#server/adapter/profile/card-address.ts';
import { phonesForExport } from '#server/adapter/profile/phone.ts';
import { findLoginPhone, findOwnProfile } from '#server/adapter/profile/store.ts';
import { readJpeg, readLogo } from '#server/adapter/storage/photo-store.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { AppContext } from '#server/context.ts';
import { sessionInvalidError } from '#server/error.ts';
import { findAppearance } from '#server/feature/appearance/store.ts';
import {
  writeContactCsv,
  writeContactJson,
  writeContactVcards,
} from '#server/feature/contact/contact-export.ts';
import { readTemplates } from '#server/feature/contact/contacts-view-store.ts';
import { readContactUsage } from '#server/feature/contact/contacts.ts';
import { readContactPages } from '#server/feature/contact/find.ts';
import { findFilledExtras } from '#server/feature/extra/store.ts';
import { findFilledTranslations } from '#server/feature/translation/store.ts';
import type { Caller } from '#server/http/route.ts';

import { listSessions } from './store.ts';

const NAME_WIDTH = 19;

/** A file, and the lines of README.txt about it. A file whose input is null is left out. */
type Entry = readonly [
  name: ArchiveFile,
  input: string | Uint8Array | AsyncIterable<string> | null,
  ...about: string[],
];

/**
 * Returns everything that is stored for an owner, as a ZIP. The ZIP is written while it is read, so that
 * only one page of the contacts is in memory. Throws ApiError 'session_invalid'.
 */
export async function openArchive(
  context: AppContext,
  caller: Caller,
  origin: string,
): Promise<Readable> {
  const { settings, dependencies } = context;
  const { userId } = caller;
  const loginPhone = await findLoginPhone(dependencies.database, userId);
  const { email } = await findInvited(dependencies.database, loginPhone ?? '');
  const bound = await dependencies.database.one<{ subject: string | null }>(
    sql`SELECT oidc_subject AS subject FROM users WHERE id = ${userId}`,
  );
  const passkeys = await dependencies.database.all<{ name: string }>(
    sql`SELECT name FROM passkeys WHERE user_id = ${userId} ORDER BY added_day`,
  );
  const webhook = await dependencies.database.one<{ endpoint: string }>(
    sql`SELECT endpoint FROM webhooks WHERE user_id = ${userId} AND secret <> ''`,
  );
  const now = new Date(dependencies.clock.now());
  const link = origin + cardPath(userId);
  const entries = [
    ['version', `${ARCHIVE_VERSION}\r\n`, 'The version of this format, for another server.'],
    ['card-link.txt', `${link}\r\n`, 'The link of your card.'],
    ...(await cardEntries(context, userId)),
    ...(await contactEntries(context, userId)),
    [
      'sessions.json',
      json(await listSessions(context.sessions, caller)),
      "Where you're signed in. Times are in UTC.",
    ],
  ].filter((entry): entry is Entry => entry[1] !== null);
  const readme = [
    `Your data at ${settings.productName}, as of ${now.toISOString()} (UTC).`,
    '',
    ...entries.flatMap(([name, , ...about]) =>
      about.map((line, at) => (at === 0 ? name : '').padEnd(NAME_WIDTH) + line),
    ),
    '',
    `${loginPhone === userId ? 'You have no login phone' : `You sign in with ${loginPhone}`}. The service also counts codes and contacts for its limits.`,
    'A count is deleted an hour after its limit ends. While Notify me is on, it stores the address of',
    'your browser at its push service.',
    ...(email === null ? [] : [`Codes by email go to ${email}.`]),
    ...(bound?.subject ? [`Your company's login knows you as ${bound.subject}.`] : []),
    ...(passkeys.length === 0
      ? []
      : [`You also sign in with these passkeys: ${passkeys.map(({ name }) => name).join(', ')}.`]),
    ...(webhook === null ? [] : [`Your contacts are also sent to ${webhook.endpoint}.`]),
    ...(settings.views.has('analytics')
      ? [`The visits of your card are counted by day, for ${VISIT_DAYS_MAX} days, without names.`]
      : []),
    '',
  ];
  const files: readonly Entry[] = [['README.txt', readme.join('\r\n')], ...entries];
  const zip = makeZip(
    files.map(([name, input]) => ({ name, input: input ?? '', lastModified: now })),
  );
  return Readable.fromWeb(zip, { highWaterMark: 0 });
}

const json = (value: object | null) => value && `${JSON.stringify(value, null, 2)}\n`;

async function cardEntries({ dependencies }: AppContext, userId: string): Promise<Entry[]> {
  const { database, photos, readPhone } = dependencies;
  const [profile, appearance] = await Promise.all([
    findOwnProfile(database, userId),
    findAppearance(database, userId),
  ]);
  if (profile === null || appearance === null) throw sessionInvalidError();
  const { palette, hue, swatch, logo } = appearance;
  const photo =
    (await readJpeg(photos, profile.profilePhoto, PHOTO_LARGE_SIDE_PX)) ??
    // Photos of earlier versions may have no large file.
    (await readJpeg(photos, profile.profilePhoto, PHOTO_SIDE_PX_MAX));
  const vcard = writeVcard({ ...profile, phone: phonesForExport(readPhone, profile.phone) });
  const extras = json(await findFilledExtras(database, userId));
  const translations = json(await findFilledTranslations(database, userId));
  const address = json(await findOwnAddress(database, userId));
  return [
    ['card.json', json(getUser.reply.parse(profile)), 'Your card, as the public API returns it.'],
    ['card.vcf', vcard, 'Your card for an address book.'],
    ['photo.jpg', photo, 'Your photo.'],
    ['look.json', json({ palette, hue, swatch }), "The look you've chosen for your card."],
    ['logo.webp', await readLogo(photos, logo), 'Your logo.'],
    ['extras.json', extras, 'What your card has besides.'],
    ['translations.json', translations, 'Your card in other languages.'],
    ['address.json', address, 'The address of your card, and those that it had before.'],
  ];
}

async function contactEntries(
  { settings: { timeZone }, dependencies: { database, readPhone } }: AppContext,
  userId: string,
): Promise<Entry[]> {
  const usage = await readContactUsage(database, userId);
  const templates = await readTemplates(database, userId);
  const pages = () => readContactPages(database, { userId });
  const held = `Held: one of many from one place, or after the first ${CONTACTS_PER_DAY_MAX} of its day.`;
  return [
    ['templates.json', templates.length > 0 ? json(templates) : null, 'Your message templates.'],
    [
      'contacts.csv',
      writeContactCsv(pages(), { usage, timeZone }),
      'The details visitors left on your card, for a spreadsheet. UTF-8.',
      `Times are in ${timeZone}. Note and Tags are yours.`,
      ...(usage.hasHeld ? [held] : []),
      ...(usage.hasNotices ? ['Notice: the version of the notice that the visitor saw.'] : []),
      'What begins with = + - @ has an apostrophe before it, so that no',
      'spreadsheet executes what a visitor wrote.',
    ],
    [
      'contacts.json',
      writeContactJson(pages()),
      'All your contacts in full, for moving to another server.',
    ],
    [
      'contacts.vcf',
      writeContactVcards(pages(), readPhone),
      'The same contacts, for an address book.',
    ],
  ];
}
