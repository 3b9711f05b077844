import { expect, test } from 'vitest';

import { newToken } from '#server/token.ts';
import { buildTestApp, useOwner, useTestApp, verifyPhone } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';

const NOTHING = { phone: null, email: null, links: null, upi: null, gstin: null, address: null };
const LINKS = [
  { label: 'Book <me>', url: 'https://www.cal.example/asha?a=1&b=2' },
  { label: 'Prices', url: 'https://a.example' },
];
const UPI = 'asha@okaxis';
const GSTIN = '27AAPFU0939F1ZV';
const ADDRESS = '1 MG Road\nPune <411001>';
const LINK = 'upi://pay?pa=asha@okaxis&amp;pn=Asha%20Rao&amp;cu=INR';
const REQUIRED = [403, 'verification_required'];
const environment = { CARD_EXTRAS: 'all', VIEWS: 'analytics' };

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open, { environment });
  const owner = useOwner(testApp);

  type Options = Parameters<typeof owner.get>[1];
  const call = (options?: Options) => owner.get('user/:id/extras', options);
  const save = (payload: object, options?: Options) =>
    owner.post('user/:id/extras', payload, options);
  const readResult = async (response: ReturnType<typeof call>) => {
    const { statusCode, json } = await response;
    return [statusCode, json().error ?? 'saved'];
  };
  const saveIfMatch = (payload: object, tag: unknown) =>
    save(payload, { headers: { 'if-match': String(tag) } });
  const saveUpi = async (upi: string) => save({ upi, token: await verifyPhone(testApp) });
  const readPage = async (options?: Options) => (await owner.page('', options)).body;

  test('extras: are null until they are saved; absent keys stay, null and an empty text are unset', async () => {
    const first = await call();
    expect([first.json(), first.headers.etag]).toEqual([NOTHING, '"0"']);
    const saved = await save({ gstin: ' 27aapfu0939f1zv', address: `${ADDRESS}\r\n` });
    expect(saved.json()).toEqual({ ...NOTHING, gstin: GSTIN, address: ADDRESS });
    const all = { ...NOTHING, upi: UPI, gstin: GSTIN, address: ADDRESS };
    expect((await saveUpi(UPI)).json()).toEqual(all);
    const removed = await save({ gstin: null });
    const read = await call();
    expect(read.json()).toEqual({ ...NOTHING, upi: UPI, address: ADDRESS });
    expect(read.headers.etag).toBe(removed.headers.etag);
    expect((await save({ address: '' })).json()).toEqual({ ...NOTHING, upi: UPI });
    expect((await save({ upi: '' })).json()).toEqual(NOTHING);
    expect(await readResult(save({ upi: 'asha', address: 'a' }))).toEqual([400, 'invalid_input']);
    expect((await call()).json()).toEqual(NOTHING);
  });

  test('extras: If-Match is as that of the profile, also with a verification that stays unused', async () => {
    const late = [412, 'precondition_failed'];
    expect(await readResult(saveIfMatch({ gstin: GSTIN }, '"1"'))).toEqual(late);
    const tag = (await saveIfMatch({ gstin: GSTIN }, '"0"')).headers.etag;
    const token = await verifyPhone(testApp);
    expect(await readResult(saveIfMatch({ upi: UPI, token }, '"0"'))).toEqual(late);
    expect(await readResult(saveIfMatch({ upi: UPI, token }, tag))).toEqual([200, 'saved']);
    expect(await readResult(saveIfMatch({ gstin: null }, tag))).toEqual(late);
    expect((await call()).json()).toEqual({ ...NOTHING, upi: UPI, gstin: GSTIN });
  });

  test('second phone, second e-mail and links: are rows of the card and lines of the full contact file', async () => {
    const card = { name: 'Asha Rao', phone: '9876543210', email: 'asha@a.example' };
    const socialMediaHandles = { X: 'https://x.example' };
    await owner.post('user/updateUser', { ...card, socialMediaHandles });
    const extras = { phone: ' 080 2222 3333', email: 'office@rao-partners.example', links: LINKS };
    const typed = { ...extras, links: [LINKS[0], { label: 'Prices', url: 'a.example' }] };
    const saved = { ...NOTHING, ...extras, phone: '080 2222 3333' };
    expect((await save(typed)).json()).toEqual(saved);
    expect((await call()).json()).toEqual(saved);
    const page = await readPage();
    const rows =
      /tel:\+919876543210.*mailto:asha.*tel:\+918022223333.*Second phone.*mailto:office/s;
    expect(page).toMatch(rows);
    expect(page).toMatch(/mailto:office.*Second email.*office@rao-partners\.\.\..*card-socials/s);
    expect(page).toMatch(
      /card-socials.*href="https:..www.cal.example.asha.a=1&amp;b=2".*Book &lt;me&gt;/s,
    );
    expect(page).toMatch(/Book &lt;me&gt;.*>cal\.example</s);
    expect(page).toContain('rel="noopener noreferrer nofollow ugc" data-kind="Link"');
    await save({ address: ADDRESS });
    const full = buildTestApp(database, { environment: { ...environment, CONTACT_FILE: 'full' } });
    const lines = (await owner.page('/contact.vcf', { on: full })).body.split('\r\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'TEL;TYPE=CELL:+918022223333',
        'EMAIL;TYPE=INTERNET:office@rao-partners.example',
        String.raw`ADR;TYPE=WORK:;;1 MG Road\nPune <411001>;;;;`,
        'item2.URL:https://www.cal.example/asha?a=1&b=2',
        'item2.X-ABLabel:Book <me>',
        'item3.X-ABLabel:Prices',
      ]),
    );
    expect((await owner.page('/contact.vcf')).body).not.toMatch(/8022223333|office|Prices/);
    const invalid = { links: [{ label: 'Book', url: 'javascript:alert(1)' }] };
    const message = 'links.0.url must be a link that others can open';
    expect((await save(invalid)).json()).toMatchObject({ message });
    const none = await save({ phone: '', email: null, links: [], address: '' });
    expect(none.json()).toEqual(NOTHING);
    expect((await save({ links: LINKS })).json()).toEqual({ ...NOTHING, links: LINKS });
    expect((await save({ links: '' })).json()).toEqual(NOTHING);
  });

  test('UPI ID: a session alone cannot set or change it, and can remove it', async () => {
    expect(await readResult(save({ upi: UPI }))).toEqual(REQUIRED);
    const used = await verifyPhone(testApp);
    expect(await readResult(save({ upi: UPI, token: used }))).toEqual([200, 'saved']);
    const ofAnother = await verifyPhone(testApp, '+919876543211');
    for (const token of [undefined, null, '', 'a token', newToken(), used, ofAnother])
      expect([token, await readResult(save({ upi: 'thief@ybl', token }))]).toEqual([
        token,
        REQUIRED,
      ]);
    // This UPI ID differs in case only.
    expect(await readResult(save({ upi: 'Asha@okaxis', gstin: GSTIN }))).toEqual(REQUIRED);
    expect((await call()).json()).toEqual({ ...NOTHING, upi: UPI });
    // An unchanged UPI ID needs no verification, so this one stays unused.
    const fresh = await verifyPhone(testApp);
    expect(await readResult(save({ upi: UPI, address: 'a', token: fresh }))).toEqual([
      200,
      'saved',
    ]);
    expect(await readResult(save({ upi: null }))).toEqual([200, 'saved']);
    expect(await readResult(save({ upi: UPI }))).toEqual(REQUIRED);
    expect(await readResult(save({ upi: UPI, token: fresh }))).toEqual([200, 'saved']);
  });

  test('UPI ID: of 50 changes on two nodes with one verification, one is stored', async () => {
    const other = buildTestApp(database, { environment });
    const token = await verifyPhone(testApp);
    const saves = Array.from({ length: 50 }, async (_, index) => {
      const on = index % 2 ? other : testApp;
      return (await readResult(save({ upi: `thief${index}@ybl`, token }, { on }))).join(' ');
    });
    const answers = await Promise.all(saves);
    const stored = answers.indexOf('200 saved');
    expect(answers).toEqual(Array(50).fill(REQUIRED.join(' ')).with(stored, '200 saved'));
    expect((await call()).json()).toEqual({ ...NOTHING, upi: `thief${stored}@ybl` });
  });

  test('UPI ID: removed and set again in 50 calls without a verification, it is never another one', async () => {
    await saveUpi(UPI);
    const upis = [null, UPI, 'thief@ybl'];
    const saves = Array.from({ length: 50 }, (_, n) => save({ upi: upis[n % 3], gstin: GSTIN }));
    await Promise.all(saves);
    expect((await call()).json()).toEqual({ ...NOTHING, gstin: GSTIN });
  });

  test('card page: shows them below the tiles at once, and its ETag changes; the profile stays as it was', async () => {
    const socialMediaHandles = { X: 'https://x.example' };
    await owner.post('user/updateUser', { name: 'Asha Rao', phone: '1', socialMediaHandles });
    const profile = await owner.card();
    const before = await owner.page();
    expect(before.body).not.toMatch(/card-extras|class="popup pay"|pay\.js/);
    await save({ gstin: GSTIN, address: ADDRESS });
    const withoutUpi = await readPage();
    expect(withoutUpi).toMatch(/card-socials.*GSTIN.*"27AAPFU0939F1ZV".*Copy GSTIN.*Address/s);
    expect(withoutUpi).toContain('query=1%20MG%20Road%2C%20Pune%20%3C411001%3E"');
    expect(withoutUpi).toContain('1 MG Road\nPune &lt;411001&gt;');
    expect(withoutUpi).not.toMatch(/id="pay-open"|pay\.js/);
    await saveUpi(UPI);
    const after = await owner.page();
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(after.body).toMatch(/<script src="\/assets\/pay\.js" defer/);
    expect(after.body.slice(after.body.indexOf('id="pay-title"'))).toMatch(
      /Pay by UPI.*<path.*You pay.*Asha Rao.*hidden.*Open a UPI app.*If the app refuses, copy the ID\..*Copy UPI ID/s,
    );
    expect(after.body).toContain(`href="${LINK}"`);
    const { headers, body } = await owner.card();
    expect([headers.etag, body]).toEqual([profile.headers.etag, profile.body]);
    await owner.post('user/updateUser', { name: '' });
    expect(await readPage()).toContain('href="upi://pay?pa=asha@okaxis&amp;cu=INR"');
    await database.run('UPDATE users SET blocked_at = 1');
    expect(await readResult(saveUpi('other@ybl'))).toEqual([410, 'card_blocked']);
  });

  test('CARD_EXTRAS: without it nothing speaks of them; only those that it has are shown and saved', async () => {
    await owner.post('user/updateUser', { phone: '1' });
    await save({ gstin: GSTIN, address: ADDRESS });
    await saveUpi(UPI);
    const none = { on: buildTestApp(database, { environment: { VIEWS: 'analytics' } }) };
    for (const response of [call(none), save({}, none)])
      expect((await response).statusCode).toBe(404);
    const card = [`/user/${owner._id}`, `/user/${owner._id}/contact.vcf`, `/api/user/${owner._id}`];
    for (const url of [...card, '/privacy_policy', '/dashboard']) {
      const { statusCode, body } = await none.on.app.inject(url);
      const text = body.replace(/<style>[^]*?<\/style>/, '');
      const found = /\bupi\b|gstin|okaxis|MG Road|extras|pay\.js/i.exec(text)?.[0];
      expect([url, statusCode, found]).toEqual([url, 200, undefined]);
    }
    const { paths } = (await none.on.app.inject('/api/openapi.json')).json<{ paths: object }>();
    expect(Object.keys(paths).filter((path) => path.endsWith('/extras'))).toEqual([]);
    const one = { on: buildTestApp(database, { environment: { CARD_EXTRAS: 'gstin' } }) };
    expect((await call(one)).json()).toEqual({ ...NOTHING, gstin: GSTIN });
    expect(await readPage(one)).not.toMatch(/okaxis|MG Road/);
    const message = 'address is not one of CARD_EXTRAS';
    expect((await save({ address: 'a' }, one)).json()).toMatchObject({ message });
    expect((await save({ upi: null, gstin: null }, one)).json()).toEqual(NOTHING);
    expect((await call()).json()).toEqual({ ...NOTHING, address: ADDRESS });
  });
});
