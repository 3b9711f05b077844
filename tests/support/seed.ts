import { runAdmin } from './admin.ts';
import { FULL_CARD, FULL_EXTRAS, createOwner, saveUpi, sendRequest, uploadPhoto } from './owner.ts';
import type { Owner } from './owner.ts';
import { startServer } from './server.ts';
import type { RunningServer } from './server.ts';

export type Seed = Awaited<ReturnType<typeof seedServer>>;
export type OwnerName = {
  [Key in keyof Seed]: Seed[Key] extends Owner ? Key : never;
}[keyof Seed];

const RAVI = { name: 'Ravi Kumar', companyName: 'Kumar Steel Works', mobile: '98450 12345' };
const CONNECTIONS = [
  { ...RAVI, email: 'ravi@kumar.example' },
  { name: 'मीरा देशपांडे', companyName: 'देशपांडे ज्वेलर्स', email: 'meera@deshpande.example' },
  { name: 'J. Fernandes', mobile: '+91 98201 55667' },
];

const repeatToLength = (text: string, length: number) => text.repeat(length).slice(0, length);

/** These texts are as long as the fields permit. */
const LONG = {
  name: repeatToLength('Wolfeschlegelsteinhausenbergerdorff', 120),
  companyName: repeatToLength('Donaudampfschifffahrtsgesellschaft', 120),
  email: `${'very.long.address'.repeat(10)}@example.com`.slice(-254),
};

const MARATHI = {
  name: 'श्रीनिवास लक्ष्मीनारायण क्षीरसागर',
  designation: 'प्रमुख वास्तुविद्',
  companyName: 'क्षीरसागर आणि भागीदार',
  bio: 'आम्ही घरे बांधतो जी यंत्रांशिवाय थंड राहतात.',
};
const URDU = {
  name: 'آشا راؤ',
  designation: 'پرنسپل آرکیٹیکٹ',
  companyName: 'راؤ اینڈ پارٹنرز',
  bio: 'ایسے گھر جو مشینوں کے بغیر ٹھنڈے رہتے ہیں۔',
};

/** Starts a service with all optional features, an owner with contacts, tags and notes, and one without. */
async function seedViews(prefix: string) {
  const server = await startServer({
    VIEWS: 'analytics,contacts',
    CARD_EXTRAS: 'all',
    LANGUAGES: 'mr,ur',
    CONTACT_KEEP_DAYS: '365',
    CONNECT_NOTICE: 'We call you back within a week.',
  });
  const phone = `${prefix}99001`;
  const full = await createOwner(server, phone, FULL_CARD);
  await saveUpi(server, full, { phone, upi: 'asha.rao@okaxis' });
  const call = <T>(path: string, body: object) =>
    sendRequest<T>(server, path.replace(':id', full._id), { token: full.sessionToken, body });
  await call('/user/:id/extras', FULL_EXTRAS);
  const translations = Object.entries({ mr: MARATHI, ur: URDU });
  await call('/user/:id/translations', {
    translations: translations.map(([language, translation]) => ({ language, ...translation })),
  });
  for (const contact of [...CONNECTIONS, { ...LONG, mobile: '+91 98201 55667, ext. 123456789' }])
    await call('/profile/addContact', { userID: full._id, contact });
  type Found = { contacts: { _id: string; name: string }[] };
  const { contacts } = await call<Found>('/contacts/findContacts/:id', {});
  const note = 'Wants a quote for the roof. '.repeat(20);
  for (const { _id: contact, name } of contacts) {
    if (name !== RAVI.name && name !== LONG.name) continue;
    const tags = ['Lead', 'Trade fair 2026', name.slice(0, 40)];
    await call('/contacts/saveTags/:id', { contact, tags });
    await call('/contacts/saveNote/:id', { contact, note });
  }
  return { server, full, sparse: await createOwner(server, `${prefix}99002`, { name: 'Ravi' }) };
}

/** Creates the owners. `prefix` is the first five digits of their phones. */
export async function seedServer(server: RunningServer, prefix: string) {
  const create = (digit: number, card: Record<string, unknown>) =>
    createOwner(server, `${prefix}9900${digit}`, card);
  const full = await create(1, FULL_CARD);
  await uploadPhoto(server, full);
  for (const contact of CONNECTIONS)
    await sendRequest(server, '/profile/addContact', { body: { userID: full._id, contact } });
  const blocked = await create(7, FULL_CARD);
  await runAdmin({ DATA_DIR: server.dataDir }, 'block', blocked._id, '--reason', 'A test.');
  let views: ReturnType<typeof seedViews> | undefined;
  return {
    server,
    full,
    blocked,
    sparse: await create(2, { name: 'Ravi' }),
    // Every field of this card is at its maximum length.
    long: await create(3, {
      ...FULL_CARD,
      ...LONG,
      designation: repeatToLength(
        'Senior Vice President of Strategic Partnerships and Regions, ',
        120,
      ),
      bio: repeatToLength(
        'A long story, told slowly, of houses, rain and those who live between. ',
        2000,
      ),
    }),
    devanagari: await create(4, { ...FULL_CARD, ...MARATHI }),
    rightToLeft: await create(8, { ...FULL_CARD, ...URDU, phone: '+971501234567' }),
    // This owner has signed in and has an empty card.
    unnamed: await create(5, {}),
    unready: await create(6, { name: 'Nobody Yet', phone: '' }),
    /** Returns the service with the views, which starts when it is first used. */
    openViews: () => (views ??= seedViews(prefix)),
    dispose: async () => (await views)?.server.dispose(),
  };
}
