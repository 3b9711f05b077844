import { runAdmin } from './admin.ts';
import { FULL_CARD, createOwner, sendRequest, uploadPhoto } from './owner.ts';
import type { Owner } from './owner.ts';
import type { RunningServer } from './server.ts';

/** A server with an owner for each state of the screens. */
export interface Seed {
  readonly server: RunningServer;
  /** A full card with a photo, and connections. */
  readonly full: Owner;
  /** A name and a phone, nothing else. */
  readonly sparse: Owner;
  /** Every field at its maximum length. */
  readonly long: Owner;
  readonly devanagari: Owner;
  /** Signed in, with an empty card. */
  readonly unnamed: Owner;
  /** No phone on the card. */
  readonly unready: Owner;
  readonly blocked: Owner;
}

const CONNECTIONS = [
  {
    name: 'Ravi Kumar',
    companyName: 'Kumar Steel Works',
    email: 'ravi@kumar.example',
    mobile: '98450 12345',
  },
  { name: 'मीरा देशपांडे', companyName: 'देशपांडे ज्वेलर्स', email: 'meera@deshpande.example', mobile: '' },
  { name: 'J. Fernandes', companyName: '', email: '', mobile: '+91 98201 55667' },
];

/** Creates the owners; `prefix` is the first five digits of their phones. */
export async function seedServer(server: RunningServer, prefix: string): Promise<Seed> {
  const create = (digit: number, card: Record<string, unknown>) =>
    createOwner(server, `${prefix}9900${digit}`, card);
  const full = await create(1, FULL_CARD);
  await uploadPhoto(server, full);
  for (const contact of CONNECTIONS) {
    await sendRequest(server, '/profile/addContact', { body: { userID: full._id, contact } });
  }
  const blocked = await create(7, FULL_CARD);
  await runAdmin({ DATA_DIR: server.dataDir }, 'block', blocked._id, '--reason', 'A test.');
  return {
    server,
    full,
    sparse: await create(2, { name: 'Ravi' }),
    long: await create(3, {
      ...FULL_CARD,
      name: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(4).slice(0, 120),
      designation: 'Senior Vice President of Strategic Partnerships and Regional Development, '
        .repeat(2)
        .slice(0, 120),
      companyName: 'Donaudampfschifffahrtsgesellschaft'.repeat(4).slice(0, 120),
      bio: 'A long story, told slowly and in full, of houses, rain and the people who live between. '
        .repeat(30)
        .slice(0, 2000),
      email: `${'very.long.address'.repeat(10)}@example.com`.slice(-254),
    }),
    devanagari: await create(4, {
      ...FULL_CARD,
      name: 'श्रीनिवास लक्ष्मीनारायण क्षीरसागर',
      designation: 'प्रमुख वास्तुविद्',
      companyName: 'क्षीरसागर आणि भागीदार',
      bio: 'आम्ही घरे बांधतो जी यंत्रांशिवाय थंड राहतात.',
    }),
    unnamed: await create(5, {}),
    unready: await create(6, { name: 'Nobody Yet', phone: '' }),
    blocked,
  };
}
