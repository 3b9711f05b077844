import { expect, test } from 'vitest';

import { broughtContact } from '#contract/bring-in.ts';
import { DAY_MS, HOUR_MS } from '#domain/duration.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { bringInContacts } from '#server/feature/contact/brought.ts';
import { useOwner, useTestApp, verifyPhone } from '#tests/support/app.ts';
import { countersOf } from '#tests/support/codes.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { recordPlans } from '#tests/support/statement.ts';

const ENVIRONMENT = { VIEWS: 'contacts', CARD_EXTRAS: 'gstin', LANGUAGES: 'hi' };
const GSTIN = '27AAPFU0939F1ZV';
const CONTACT = {
  name: 'Ravi "R"',
  mobile: '98450 12345',
  email: '',
  companyName: '',
  receivedAt: '2025-12-01T10:00:00.000Z',
  note: 'Über\nzwei',
  tags: ['Fair'],
  reminder: null as string | null,
};
const id = (number: number) => `0mc3k5a00${String(number).padStart(3, '0')}abcdefghi`;

onEachDatabase((open) => {
  const { testApp: context, database } = useTestApp(open, { environment: ENVIRONMENT });
  const owner = useOwner(context);
  const post = async (name: string, body: object) => {
    const response = await owner.post(`account/${name}`, body);
    return [response.statusCode, response.json<{ error?: string; ticket?: string }>()] as const;
  };
  const ticketOf = async (body: object) => {
    const [status, { ticket = '' }] = await post('bringIn', {
      token: await verifyPhone(context),
      ...body,
    });
    expect(status).toBe(200);
    return ticket;
  };
  const bringIn = async (ticket: string, contacts: object[]) =>
    post('bringInContacts', { ticket, timeZone: 'Asia/Kolkata', contacts });
  const find = async () =>
    (await owner.post('contacts/findContacts', {})).json<{
      contacts: {
        _id: string;
        name: string;
        note: string;
        reminderDay: string;
        receivedAt: string;
      }[];
    }>().contacts;

  test('bring in: the card, its extras, translations and look are stored together, or nothing is', async () => {
    const translations = [{ language: 'hi', name: 'आशा' }];
    const body = {
      card: { bio: 'Here' },
      extras: { gstin: GSTIN },
      translations,
      look: { palette: 'quiet' },
    };
    expect(await post('bringIn', body)).toMatchObject([403, { error: 'verification_required' }]);
    const token = await verifyPhone(context);
    for (const wrong of [{ extras: { upi: 'a1@okaxis' } }, { translations: [{ language: 'ta' }] }])
      expect(await post('bringIn', { token, ...body, ...wrong })).toMatchObject([400, {}]);
    expect((await owner.card()).json()).toMatchObject({ bio: '' });
    expect(await post('bringIn', { token, ...body })).toMatchObject([200, {}]);
    expect((await owner.card()).json()).toMatchObject({ bio: 'Here' });
    expect((await owner.get('user/:id/extras')).json()).toMatchObject({ gstin: GSTIN });
    expect((await owner.get('user/:id/translations')).json()).toMatchObject({ translations });
    expect((await owner.get('user/:id/appearance')).json()).toMatchObject({ palette: 'quiet' });
  });

  test('bring in contacts: once, with day, note and reminder, in their order, without a push, except what was deleted here', async () => {
    const ticket = await ticketOf({});
    const now = context.clock.now();
    const day = new Date(now + 2 * DAY_MS).toISOString().slice(0, 10);
    const contacts = [
      { ...CONTACT, id: id(3), name: 'Third', reminder: day },
      { ...CONTACT, id: id(2), name: 'Second', reminder: '2020-01-01' },
      { ...CONTACT, id: id(1), held: true, heldReason: 'hidden field' },
    ];
    const forged = [ticket.replace(/\.\d/, '.9'), ticket.slice(1), ''];
    for (const wrong of forged) expect(await bringIn(wrong, contacts)).toMatchObject([403, {}]);
    expect(await bringIn(ticket, contacts)).toEqual([200, { added: 3, known: 0, removed: 0 }]);
    expect(await bringIn(ticket, contacts)).toEqual([200, { added: 0, known: 3, removed: 0 }]);
    const found = await find();
    expect(found).toMatchObject([
      { name: 'Third', note: CONTACT.note, reminderDay: day, receivedAt: CONTACT.receivedAt },
      { name: 'Second', reminderDay: '2020-01-01' },
    ]);
    // Only the future reminder will be pushed.
    const due = await database.all('SELECT name FROM contacts WHERE reminder_at IS NOT NULL');
    expect(due).toEqual([{ name: 'Third' }]);
    expect(await database.all('SELECT * FROM webhook_messages')).toEqual([]);
    await owner.post('contacts/deleteContact', { contact: found[0]?._id });
    // The first 17 characters of an id name the same contact on every server.
    await database.run(sql`INSERT INTO withdrawals (contact_id, user_id, withdrawn_at)
      VALUES (${id(4).replace('fghi', '1234')}, ${owner._id}, ${now})`);
    await database.run(sql`INSERT INTO removed_contacts (id, removed_at)
      VALUES (${id(5)}, ${now})`);
    const gone = [4, 5].map((number) => ({ ...CONTACT, id: id(number) }));
    const again = await bringIn(ticket, [...contacts, ...gone]);
    expect(again).toEqual([200, { added: 0, known: 2, removed: 3 }]);
    const counters = await countersOf(database, 'contact:brought:%');
    expect(Object.values(counters)).toEqual([3]);
    context.clock.advance(HOUR_MS + 1);
    expect(await bringIn(ticket, contacts)).toMatchObject([
      403,
      { error: 'verification_required' },
    ]);
  });

  test('bring in contacts: a part finds the contacts that are there by the index of their ids', async () => {
    const { planned, plans } = recordPlans(database);
    const part = { userId: owner._id, timeZone: 'Asia/Kolkata', now: context.clock.now() };
    const contact = broughtContact.parse({ ...CONTACT, id: id(1) });
    await bringInContacts(planned, { ...part, contacts: [contact] });
    // SQLite would read all contacts of the owner by another index, once for each contact of the part.
    const ranges = plans.join().match(/id>\? AND (contact_)?id<\?|Index Cond: \(\(\w*id >=/g);
    expect(ranges).toHaveLength(4);
  });
});
