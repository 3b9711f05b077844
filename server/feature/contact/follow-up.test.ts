import { expect, test } from 'vitest';

import type { findContacts } from '#contract/contacts-view.ts';
import type { Reply } from '#contract/endpoint.ts';
import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';

const environment = { VIEWS: 'contacts' };
const TIME_ZONE = { timeZone: 'Asia/Kolkata' };

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open, { environment });
  const owner = useOwner(testApp);
  const post = (name: string, payload: object, on = testApp) =>
    owner.post(`contacts/${name}`, payload, { on });
  const find = async () => (await post('findContacts', {})).json<Reply<typeof findContacts>>();
  const addContact = async (name: string) => {
    testApp.clock.advance(1);
    await owner.addContact({ name, mobile: '1' });
    return (await find()).contacts[0]?._id ?? '';
  };
  const status = async (name: string, payload: object) => (await post(name, payload)).statusCode;

  test('templates: at most five are kept as they are, and without VIEWS the calls are 404', async () => {
    const text = 'Hello {name}\n{my card}';
    const templates = ['T0', 'T1', 'T2', 'T3', 'T4'].map((name) => ({ name, text }));
    expect((await post('saveTemplates', { templates })).json()).toEqual({ templates });
    expect(await find()).toMatchObject({ templates, hasPush: false, toDo: [] });
    const wrong = [[...templates, ...templates], [{ name: 'x'.repeat(61), text: '' }]];
    for (const one of wrong) expect(await status('saveTemplates', { templates: one })).toBe(400);
    const added = { templates: [...templates.slice(1), { name: 'T5', text }], base: templates };
    expect((await post('saveTemplates', added)).json()).toEqual({ templates: added.templates });
    expect(await status('saveTemplates', { templates, base: [] })).toBe(400);
    await post('saveTemplates', { templates: [] });
    expect((await find()).templates).toEqual([]);
    const without = buildTestApp(database);
    for (const name of ['saveTemplates', 'markContacted', 'setReminder'])
      expect((await post(name, {}, without)).statusCode).toBe(404);
  });

  test('reminder: is listed by its day until it is done, and goes with its contact; the last contact is noted', async () => {
    const [ravi, meera] = [await addContact('Ravi'), await addContact('Meera')];
    const contactedAt = new Date(testApp.clock.now()).toISOString();
    expect((await post('markContacted', { contact: ravi })).json()).toEqual({ contactedAt });
    const remind = (contact: string, day: string | null) =>
      post('setReminder', { contact, day, ...TIME_ZONE });
    expect((await remind(ravi, '2026-03-01')).json()).toEqual({ reminderDay: '2026-03-01' });
    await remind(meera, '2026-01-02');
    const toDo = async () => (await find()).toDo.map((one) => `${one.name} ${one.reminderDay}`);
    expect(await toDo()).toEqual(['Meera 2026-01-02', 'Ravi 2026-03-01']);
    expect((await find()).contacts).toMatchObject([{ contactedAt: null }, { contactedAt }]);
    await post('deleteContact', { contact: ravi });
    expect(await toDo()).toEqual(['Meera 2026-01-02']);
    await post('restoreContact', { contact: ravi });
    await remind(meera, null);
    expect(await toDo()).toEqual(['Ravi 2026-03-01']);
    const due = 'SELECT reminder_at FROM contacts WHERE reminder_day IS NOT NULL';
    expect(await database.all(due)).toEqual([{ reminder_at: Date.UTC(2026, 2, 1, 3, 30) }]);
    // A different time zone moves the time of the reminder.
    const berlin = { contact: ravi, day: '2026-03-29', timeZone: 'Europe/Berlin' };
    expect(await status('setReminder', berlin)).toBe(200);
    expect(await database.all(due)).toEqual([{ reminder_at: Date.UTC(2026, 2, 29, 7) }]);
    for (const wrong of [
      { day: '2026-02-30' },
      { day: '0001-01-01' },
      { day: 'soon' },
      { timeZone: 'Mars/Base' },
    ])
      expect(await status('setReminder', { ...berlin, ...wrong })).toBe(400);
    for (const name of ['setReminder', 'markContacted'])
      expect(await status(name, { ...berlin, contact: 'gone' })).toBe(404);
  });
});
