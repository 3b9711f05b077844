import { expect, test } from 'vitest';

import { REJECTED_LINKS } from '#tests/support/disputed-link.ts';
import { expectResults } from '#tests/support/results.ts';
import { words } from '#tests/support/words.ts';

import { LINK_INVALID, parseHandle, parseLink, socialMediaHandlesSchema } from './handle.ts';
import { cleanLink, extractLink } from './link.ts';
import { NETWORKS, accountUrl } from './network.ts';
import type { Network } from './network.ts';

const PROFILE = 'https://www.instagram.com/asharao';

function parse(network: Network, typed: string): string | null {
  const entry = parseHandle(network, typed);
  return entry.kind === 'value' ? entry.value : entry.message;
}

const invalidOf = (network: Network, entries: readonly string[]) =>
  entries.map((typed) => [typed, parse(network, typed)]);
const allInvalid = (entries: readonly string[]) => entries.map((typed) => [typed, LINK_INVALID]);

test('link: loses invisible marks, emoji behind it, and the words and lines around it', () => {
  expectResults((typed) => parse('Instagram', typed), {
    [`\u200e${PROFILE}`]: PROFILE,
    [`${PROFILE}\u200e`]: PROFILE,
    [`${PROFILE}😊`]: PROFILE,
    [`${PROFILE} 🙏🏽 ❤️\u200d🔥 🇮🇳`]: PROFILE,
    '@asharao ✨': PROFILE,
    [`👉${PROFILE}`]: PROFILE,
    [`Follow me: ${PROFILE}`]: PROFILE,
    [`Follow me: ${PROFILE} Thanks`]: PROFILE,
    [`Asha Rao\n${PROFILE}`]: PROFILE,
    [`${PROFILE}\r\nDr. Asha`]: PROFILE,
    [`\n${PROFILE}\nThanks`]: PROFILE,
    'My page\nwww.instagram.com/asharao\nThanks': 'https://www.instagram.com/asharao',
    // An input makes this of two lines.
    [`Asha Clinic${PROFILE}`]: PROFILE,
    [`Clinic${PROFILE}`]: PROFILE,
  });
  const ends = [' Follow me!', ' - my page', ' | Asha', ' ✨ Follow', '✨ Follow', '\tAsha'];
  ends.push(',', '.', ')', ' )', '!', '।', '…');
  for (const end of ends) expect([end, parse('Instagram', PROFILE + end)]).toEqual([end, PROFILE]);
  for (const sign of ['*', '_', '~', '`', '```'])
    expect(parse('Instagram', sign + PROFILE + sign)).toBe(PROFILE);
  const bare = [
    'instagram.com/asharao Follow me',
    'instagram.com/asharao.',
    'instagram.com/asharao',
  ];
  expect(bare.map((typed) => parse('Instagram', typed))).toEqual(
    bare.map(() => 'https://instagram.com/asharao'),
  );
  expectResults((typed) => parse('LinkedIn', typed), {
    'https://www.linkedin.com/in/asharao/ (500+ connections)':
      'https://www.linkedin.com/in/asharao/',
    'linkedin.com/in/asharao - connect!': 'https://linkedin.com/in/asharao',
    'https://www.linkedin.com/company/rao_(india)': 'https://www.linkedin.com/company/rao_(india)',
    'https://www.linkedin.com/company/rao/?a=1 Rao': 'https://www.linkedin.com/company/rao/?a=1',
    // The name that follows is a part of the link.
    'https://www.linkedin.com/in/ asharao': 'https://www.linkedin.com/in/ asharao',
  });
  expectResults((typed) => parse('Maps', typed), {
    'https://maps.app.goo.gl/AbC Asha Clinic': 'https://maps.app.goo.gl/AbC',
    'maps.app.goo.gl/AbC Asha Clinic': 'https://maps.app.goo.gl/AbC',
    'http://goo.gl/maps/AbC Asha Clinic': 'http://goo.gl/maps/AbC',
    'https://maps.google.com/?q=Asha Clinic': 'https://maps.google.com/?q=Asha Clinic',
    'https://maps.google.com/?q=1&hl=en Asha': 'https://maps.google.com/?q=1&hl=en Asha',
  });
  expectResults((typed) => parse('Web', typed), {
    'https://example.com/a b': 'https://example.com/a b',
    'https://wa.me/919876543210?text=Hello Asha': 'https://wa.me/919876543210?text=Hello Asha',
    'https://i❤.ws': 'https://i❤.ws',
    'https://10.5.example.com': 'https://10.5.example.com',
    'https://files.local.example.com': 'https://files.local.example.com',
    'see http://asha.example for more': 'http://asha.example',
    'My site\n\nhttp://asha.example/a': 'http://asha.example/a',
    'a\tb.example': 'https://ab.example',
    'https://a.example/share?text=Hi%20https://asha.example':
      'https://a.example/share?text=Hi%20https://asha.example',
    'web.archive.org/web/2024/https://asha.example/':
      'https://web.archive.org/web/2024/https://asha.example/',
  });
  expect(parseLink(`Asha Clinic\n${PROFILE}`)).toBe(PROFILE);
  const handles = { Maps: `Asha Clinic\nhttps://maps.app.goo.gl/AbCdEf123` };
  expect(socialMediaHandlesSchema.parse(handles)).toEqual({
    Maps: 'https://maps.app.goo.gl/AbCdEf123',
  });
});

test('link: of a paste of several lines takes the one link, and leaves a paste of one line', () => {
  expectResults(extractLink, {
    [`${PROFILE}\nDr. Asha\n`]: PROFILE,
    [`${PROFILE}\n`]: `${PROFILE}\n`,
    'Dr. Asha 😊': 'Dr. Asha 😊',
  });
});

test('link: what is no link that others can open gets the note', () => {
  const others = [
    ...words(`https://https://www.instagram.com/asharao http://https://asha.example
      https:https://asha.example https//asha.example https;//asha.example htps://asha.example
      https://www.https://asha.example https://www.instagram,com/asharao www.instagram,com
      https://.instagram.com/asharao .instagram.com/asharao https://www..instagram.com
      https://-asha.example https://asha.example;x https://www.instagram.com:asharao
      http://localhost:3000 http://app.localhost https://router.local http://127.0.0.1 http://127.1
      http://router.http http://172.16.0.1 http://2130706433 http://192.168.1.4 http://10.0.0.1 http://172.20.0.1 http://169.254.1.1
      http://0.0.0.0 http://[::1] http://[::ffff:10.0.0.1] http://[fe80::1] http://[fd00::1]
      javascript:alert(1)//https://asha.example data:text/html,https://asha.example`),
    ...REJECTED_LINKS,
    'https://a.example/x https://b.example/y'.replace(' ', '\n'),
    'https://a.example/x\thttps://b.example/y',
    'http://a.example/xhttp://b.example/y',
    'http://www.instagram.com/asharao/http://www.instagram.com/asharao',
    `${PROFILE} https://b.example/y`,
    PROFILE + PROFILE,
    `${PROFILE}/${PROFILE}/`,
    'https://a.examplehttps://b.example',
    'https://www.instagram.com asharao',
    'see https://a.example/x or https://b.example/y',
    'https://www.instagram .com/asharao',
    'https:// www.instagram.com/asharao',
  ];
  expect(invalidOf('Web', others)).toEqual(allInvalid(others));
  expect(others.map(parseLink).filter((url) => url !== null)).toEqual([]);
  expect(parse('Web', 'http://172.32.0.1')).toBe('http://172.32.0.1');
});

test('link: a dotted name is a user name where the network has profiles, and its own host is none', () => {
  const withProfiles = NETWORKS.filter((network) => accountUrl(network, 'a') !== null);
  for (const network of withProfiles)
    expect(parse(network, 'asha.rao')).toBe(accountUrl(network, 'asha.rao'));
  expect(parse('Web', 'asha.rao')).toBe('https://asha.rao');
  expect(parse('Maps', 'asha.rao')).toBe('https://asha.rao');
  expectResults((typed) => parse('Facebook', typed), {
    'asha.rao.42': 'https://www.facebook.com/asha.rao.42',
    'm.facebook.com': 'https://m.facebook.com',
    'Facebook.com': 'https://Facebook.com',
    'www.asharao.example': 'https://www.asharao.example',
    'asharao.example/me': 'https://asharao.example/me',
  });
});

test('link: loses the quotes, brackets and full stops of the text around it', () => {
  const link = 'https://asha.example/a_(b)';
  const texts = [`<${link}>`, `"${link}"`, `“${link}”`, `See ${link}.`, `See ${link}, please`];
  expect(texts.map((typed) => parse('Web', typed))).toEqual(texts.map(() => link));
  expect(parse('Web', '(https://asha.example/).')).toBe('https://asha.example/');
  expect(parse('Web', 'https://asha.example/a.')).toBe('https://asha.example/a.');
});

test('link: is cleaned in linear time', () => {
  const hostile = ['😊'.repeat(4000), ' '.repeat(8000), '.'.repeat(8000), 'https://'.repeat(1000)];
  const start = performance.now();
  for (const part of hostile) {
    cleanLink(`${part}x${part}x`);
    cleanLink(`(https://${part}x${part}x`);
  }
  expect(performance.now() - start).toBeLessThan(1000);
});
