import { createHash } from 'node:crypto';

import { expect, onTestFinished, test } from 'vitest';

import { socialLinks } from '#domain/handle.ts';
import { idPalette } from '#domain/palette.ts';
import { PROFILE_FIELDS, PROFILE_FIELD_NAMES, mapProfileFields } from '#domain/profile-field.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
import { FULL_CARD } from '#tests/support/owner.ts';

const { testDatabase, testApp } = useTestApp();
const owner = useOwner(testApp);

const save = (card: object) => owner.post('user/updateUser', card);
const read = (on = testApp) => owner.page('', { on, headers: { host: 'cards.example' } });
const readWith = (environment: Record<string, string>) =>
  read(buildTestApp(testDatabase.database, { environment }));

const between = (page: string, start: string, end: string) =>
  page.split(start)[1]?.split(end)[0] ?? '';

/** Returns the links of a page as [text without tags, href]. */
function links(page: string): [string, string][] {
  const found = page.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs);
  return Array.from(found, ([, href = '', text = '']) => [text.replace(/<[^>]*>/g, ''), href]);
}

const DESCRIPTION = 'This is a digital business card: save the contact, connect, call or write.';

test('card page: shows every public field, and a phone that is no number as text', async () => {
  const card = mapProfileFields((name) => `a ${name}`);
  await save(card);
  const { body } = await read();
  const hidden = PROFILE_FIELD_NAMES.filter(
    (name) => PROFILE_FIELDS[name].isPublic && !body.includes(`>${card[name]}`),
  );
  expect(hidden).toEqual([]);
  expect(body).not.toContain('tel:');
});

test('card page: is complete without script: title, text, contact links, social links in order, previews of the link', async () => {
  await save(FULL_CARD);
  const { statusCode, body } = await read();
  expect(statusCode).toBe(200);
  expect(between(body, '<title>', '</title>')).toBe('Asha Rao - Principal Architect');
  expect(between(body, '<h1', '</h1>')).toContain('>Asha Rao');
  const role = between(body, '<p class="card-role">', '</p>').replace(/<[^>]*>/g, '');
  expect(role).toBe('Principal Architect · Rao &amp; Partners Archi...');
  for (const text of ['About Me', '+91 98765 43210', 'asha.rao@rao-partner...'])
    expect(body).toContain(text);
  expect(links(body)).toEqual([
    ['Privacy policy', '/privacy_policy'],
    ['Save', `/user/${owner._id}/contact.vcf`],
    ['Call', 'tel:+919876543210'],
    ['Email', 'mailto:asha.rao@rao-partners.example'],
    ...socialLinks(FULL_CARD.socialMediaHandles).map(({ name, href }) => [name, href]),
    ['Create Your Tessera Card', '/login'],
  ]);
  const article = between(body, '<article', '</article>');
  const externalLinks = article.match(/<a [^>]*target="_blank"[^>]*>/g) ?? [];
  expect(externalLinks).toHaveLength(12);
  const rel = 'rel="noopener noreferrer nofollow ugc"';
  expect(externalLinks.filter((link) => !link.includes(rel))).toEqual([]);
  // Chat apps read only this much of the page.
  const head = body.slice(0, 4096);
  const metas = head.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g);
  const address = `http://cards.example/user/${owner._id}`;
  expect(Object.fromEntries(Array.from(metas, ([, ...meta]) => meta))).toMatchObject({
    description: DESCRIPTION,
    'og:type': 'profile',
    'og:title': 'Asha Rao - Principal Architect',
    'og:description': 'Principal Architect · Rao &amp; Partners Architects',
    'og:url': address,
    'og:site_name': 'Tessera',
    'og:image': expect.stringContaining(`${address}/preview.jpg?v=`),
    'twitter:card': 'summary_large_image',
  });
  expect(head).toContain(`<link rel="canonical" href="${address}"/>`);
});

test('card page: with only a phone it shows Unknown, no empty section, also for blank fields of an earlier version, and its headers', async () => {
  await testDatabase.database
    .run(sql`UPDATE users SET name = ${'\u2800'}, email = ' ', bio = ' ', company_name = ' '
    WHERE id = ${owner._id}`);
  const { body, headers } = await read();
  expect(between(body, '<title>', '</title>')).toBe('Unknown');
  const names = links(body).map(([name]) => name);
  expect(names).toEqual(['Privacy policy', 'Save', 'Call', 'Create Your Tessera Card']);
  expect(body).not.toMatch(/<p class="card-role|mailto:|About Me/);
  expect(body).toContain(`<meta property="og:description" content="${DESCRIPTION}"/>`);
  expect(body).toContain('<html lang="en">');

  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, max-age=0, must-revalidate',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  });
  expect(headers['x-robots-tag']).toBeUndefined();
  const policy = headers['content-security-policy'];
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}=';/);
  expect(policy).not.toContain('unsafe');
  const styles = Array.from(body.matchAll(/<style>(.*?)<\/style>/gs), ([, style = '']) => style);
  const hashes = styles.map((style) => createHash('sha256').update(style).digest('base64'));
  expect(policy).toContain(
    `style-src 'self' ${hashes.map((hash) => `'sha256-${hash}'`).join(' ')};`,
  );
  expect(styles.join('')).toContain(`--accent:${idPalette(owner._id).deep.light};`);
});

test('card page: About is set in the direction of its text, with numbers from left to right, and markup is escaped', async () => {
  await save({ bio: 'فون +91 98765-43210 پر\n2، 10:30 بجے' });
  const about = between((await read()).body, '<section', '</section>');
  expect(about).toContain(' dir="rtl"');
  const numbers = ['<bdi dir="ltr">+91 98765-43210</bdi>', '<bdi dir="ltr">10:30</bdi>'];
  expect(about).toContain(`>فون ${numbers[0]} پر\n2، ${numbers[1]} بجے<`);
  await save({ bio: 'Call +91 98765-43210' });
  expect((await read()).body).toContain('>Call +91 98765-43210<');

  const markup = '</title><script>alert(1)</script>"\'&';
  await save({ ...mapProfileFields(() => markup), phone: '1' });
  const { body } = await read();
  expect(body.match(/<script/g)).toHaveLength(1);
  expect(body).not.toContain(markup);
  expect(body).not.toContain('style=');
});

test('card page: an unknown or invalid id is 404 and has no Save, Call or Connect, and one without a phone is not ready', async () => {
  for (const id of ['1111111111111111', 'nobody', '%00', 'x'.repeat(200)]) {
    const url = `/user/${id}`;
    for (const name of ['contact.vcf', 'preview.jpg', 'photo.jpg', 'qr.svg'])
      expect((await testApp.app.inject(`${url}/${name}`)).statusCode).toBe(404);
    const { statusCode, body, headers } = await testApp.app.inject(url);
    expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store']);
    expect(body).toContain('<h1>Unknown</h1>');
    expect(body).toContain('<p>User does not exist</p><p>Check the link, or ask for it again.</p>');
    expect(links(body).map(([name]) => name)).toEqual(['Create Your Tessera Card']);
    expect(body).not.toContain('<button');
    expect(body).toContain('<meta name="robots" content="noindex"/>');
    expect(body).toContain(`<meta name="description" content="${DESCRIPTION}"/>`);
  }
  await save({ ...FULL_CARD, phone: '' });
  const { statusCode, body, headers } = await read();
  expect([statusCode, headers['x-robots-tag']]).toEqual([200, 'noindex']);
  const heading = 'This card is not ready yet</h1><p>Its owner is still setting it up.';
  expect(between(body, '<h1>', '</p>')).toBe(heading);
  expect(body).toContain(`<meta name="description" content="${DESCRIPTION}"/>`);
  expect(body).not.toContain('Asha');
  expect(links(body)).toEqual([['Create Your Tessera Card', '/login']]);
});

test('card page: uses the configured base URLs, which the policy allows, and shows CONNECT_NOTICE as text with its version', async () => {
  await save(FULL_CARD);
  const { body, headers } = await readWith({
    APP_URL: 'https://app.example/start',
    ICON_BASE_URL: 'https://icons.example/set/',
    SERVER_BASE_URL: 'https://calls.example/v1/',
  });
  expect(body).toContain('<a class="button" href="https://app.example/start">');
  expect(body).toContain('src="https://icons.example/set/whatsapp.svg"');
  expect(body).toContain('data-send="https://calls.example/v1/profile/addContact"');
  expect(headers['content-security-policy']).toMatch(/img-src [^;]*https:\/\/icons\.example/);
  expect(headers['content-security-policy']).toMatch(/connect-src [^;]*https:\/\/calls\.example/);
  expect((await readWith({ ICON_BASE_URL: '/' })).body).toContain('src="/whatsapp.svg"');

  const text = '<b>We & you</b>';
  const withNotice = (await readWith({ CONNECT_NOTICE: text })).body;
  const version = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const added =
    '<p class="popup-note" dir="auto">&lt;b&gt;We &amp; you&lt;/b&gt;</p>' +
    `<input type="hidden" name="notice" value="${version}"/>`;
  expect(withNotice).toContain(added);
  // Without the notice, the page is the same except for these bytes.
  expect(withNotice.replace(added, '')).toBe((await read()).body);
});

test('card page: each page is rendered in its own turn of the event loop, so that new connections are accepted meanwhile', async () => {
  await save(FULL_CARD);
  // The page of each host is rendered separately. The first one makes what they share.
  await read();
  let turn = 0;
  let next = setImmediate(function count() {
    turn += 1;
    next = setImmediate(count);
  });
  onTestFinished(() => clearImmediate(next));
  const pages = [];
  for (const host of ['a', 'b', 'c', 'd', 'e', 'f'])
    pages.push(
      owner.page('', { headers: { host: `${host}.example` } }).then(({ statusCode }) => {
        expect(statusCode).toBe(200);
        return turn;
      }),
    );
  expect(new Set(await Promise.all(pages)).size).toBe(pages.length);
});
