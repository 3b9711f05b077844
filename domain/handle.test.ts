import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';

import { anyText } from '#tests/support/any-text.ts';
import { expectResults, rejection } from '#tests/support/results.ts';
import { words } from '#tests/support/words.ts';

import { LINK_INVALID, LINK_TOO_LONG, parseHandle } from './handle.ts';
import { socialLinks, socialMediaHandlesSchema } from './handle.ts';
import { HANDLE_LENGTH_MAX, isWebUrl } from './link.ts';
import { NETWORKS } from './network.ts';
import type { Network } from './network.ts';

const ALERT = 'Invalid Phone Number: Should be a 10-digit phone number';
const NUMBER = '9876543210';

function parse(network: Network, typed: string): string | null {
  const entry = parseHandle(network, typed);
  if (entry.kind === 'value') return entry.value;
  expect(entry.kind).toBe(network === 'Whatsapp' ? 'alert' : 'note');
  return entry.message;
}

const rejectionOf = (handles: unknown) => rejection(socialMediaHandlesSchema, handles);
const accepts = (handles: unknown) => rejectionOf(handles) === '';

test('parse handle: a Whatsapp entry becomes ten digits, or gets the alert', () => {
  const spaced = ['+91 98765 43210', '+९१ ९८७६५ ४३२१०', ' 98765\u00a043210 ', '(98765) 43.210'];
  const numbers = words(`${NUMBER} +91${NUMBER} 91${NUMBER} 0${NUMBER} 098765-43210 98765–43210
    \u200b${NUMBER} ९८७६५४३२१० ９８７６５４３２１０`).concat(spaced, '\u202a+91 98765 43210\u202c');
  expect(numbers.filter((typed) => parse('Whatsapp', typed) !== NUMBER)).toEqual([]);
  // That start with 91 or 0 themselves.
  for (const ten of ['9198765432', '0198765432']) expect(parse('Whatsapp', ten)).toBe(ten);
  const others = words(`1 987654321 98765432101 0919876543210 +9198765432 +9876543210 98765abcde -
    https://wa.me/919876543210`).concat('+1 415 555 2671', '9876543210 ext 5');
  expect(others.filter((typed) => parse('Whatsapp', typed) !== ALERT)).toEqual([]);
});

test('parse handle: an empty entry removes the handle', () => {
  const empty = ['', '   ', '\t\n', '\u200b', '\ufeff \u202a\u202c'];
  const kept = NETWORKS.filter((one) => empty.some((typed) => parse(one, typed) !== null));
  expect(kept).toEqual([]);
});

test('parse handle: a link is completed, or gets a note', () => {
  expectResults((typed) => parse('Web', typed), {
    'example.com/me': 'https://example.com/me',
    '  https://example.com/me ': 'https://example.com/me',
    'http://example.com': 'http://example.com',
    'HTTPS://Example.com': 'HTTPS://Example.com',
    'http:/example.com': 'http://example.com',
    'https:example.com': 'https://example.com',
    'https:\\\\example.com': 'https://example.com',
    'https:////example.com': 'https://example.com',
    '//example.com': 'https://example.com',
    'https://exa\tmple.com/me': 'https://example.com/me',
    '\u202ahttps://example.com\u202c': 'https://example.com',
    'https://पाठ.भारत/मैं': 'https://पाठ.भारत/मैं',
    'https://example.com/cafe\u0301': 'https://example.com/café',
    'maps.google.com/?q=12.97,77.59': 'https://maps.google.com/?q=12.97,77.59',
    'httpsfoo.example': 'https://httpsfoo.example',
    'medium.com/@asha': 'https://medium.com/@asha',
    '[2001:db8::1]/x': 'https://[2001:db8::1]/x',
    'https://asha.example.': 'https://asha.example.',
    'https://my_shop.example-1.in': 'https://my_shop.example-1.in',
    'example.com/?u=http:/x': 'https://example.com/?u=http:/x',
  });
  const others = words(`javascript:alert(1) \u0001javascript:alert(1) data:text/html,x
    mailto:asha@example.com asha@example.com https://user:secret@example.com https://user@example.com
    https://:secret@example.com :secret@example.com https://exa<mple.com http: https:// https://[::1
    localhost:8080/x http://localhost:3000 http://intranet/x https:asha asha @asha asha@rao.example @asha.example/x https://example.com:99999
    https://example.com/\ud800`).concat('java\tscript:alert(1)', 'https://a b.example');
  expect(others.filter((typed) => parse('Web', typed) !== LINK_INVALID)).toEqual([]);
});

test.each([
  ['Instagram', '@ananyak', 'https://www.instagram.com/ananyak'],
  ['Instagram', ' ananyak ', 'https://www.instagram.com/ananyak'],
  ['Instagram', '@ananya.k', 'https://www.instagram.com/ananya.k'],
  ['Instagram', 'ananya.k. ', 'https://www.instagram.com/ananya.k'],
  ['Instagram', '＠ａｎａｎｙａｋ', 'https://www.instagram.com/ananyak'],
  ['Instagram', '𝐚𝐧𝐚𝐧𝐲𝐚𝐤', 'https://www.instagram.com/ananyak'],
  ['YouTube', '@ทำอาหาร', `https://www.youtube.com/@${encodeURIComponent('ทำอาหาร')}`],
  ['Instagram', 'a'.repeat(HANDLE_LENGTH_MAX), LINK_TOO_LONG],
  ['Instagram', 'instagram.com/ananyak', 'https://instagram.com/ananyak'],
  ['Snapchat', 'ananyak', 'https://www.snapchat.com/add/ananyak'],
  ['Pinterest', 'ananyak', 'https://www.pinterest.com/ananyak'],
  ['Behance', 'ananyak', 'https://www.behance.net/ananyak'],
  ['LinkedIn', 'ananya-k-42', 'https://www.linkedin.com/in/ananya-k-42'],
  ['X', '@ananya_k', 'https://x.com/ananya_k'],
  ['X', '@__a', 'https://x.com/__a'],
  ['Facebook', '100012345', 'https://www.facebook.com/100012345'],
  ['Dribbble', 'ananyak', 'https://dribbble.com/ananyak'],
  ['YouTube', '@अनन्या', `https://www.youtube.com/@${encodeURIComponent('अनन्या')}`],
  ...['@', '..', '@.', '@ananya k', '@ananyak/x', 'ananyak/x'].map(
    (typed) => ['Instagram', typed, LINK_INVALID] as const,
  ),
] as const)('handle of %s: the user name or link %j becomes %s', (network, typed, stored) => {
  expect(parse(network, typed)).toBe(stored);
});

test('parse handle: a link has at most 2,048 characters, and an entry 8,192', () => {
  const longest = `https://example.com/${'a'.repeat(HANDLE_LENGTH_MAX - 20)}`;
  expect(LINK_TOO_LONG).toBe('A link can have up to 2048 characters.');
  expect([parse('Web', longest), parse('Web', `${longest}a`)]).toEqual([longest, LINK_TOO_LONG]);
  expect([longest, `${longest}a`].map((Web) => accepts({ Web }))).toEqual([true, false]);
  const [link, number] = ['https://example.com'.padEnd(8192), NUMBER.padEnd(8192)];
  expect([parse('Web', link), parse('Web', `${link} `)]).toEqual([link.trim(), LINK_TOO_LONG]);
  const numbers = [parse('Whatsapp', number), parse('Whatsapp', `${number} `)];
  expect(numbers).toEqual([NUMBER, ALERT]);
});

test('handles schema: keeps null, adds nothing, drops unknown networks, and rejects others with a sentence', () => {
  const known = { X: null, Web: 'https://a.example', Whatsapp: NUMBER };
  const handles = { ...known, Orkut: 'https://b.example' };
  expect(socialMediaHandlesSchema.parse(handles)).toEqual(known);
  expect(rejectionOf('a')).toBe('must be an object of links');
  expect(rejectionOf({ X: 5 })).toBe('must be a link or null');
  const long = `https://x.example/${'\u0958'.repeat(1020)}`;
  expect(rejectionOf({ X: long })).toMatch(/^must be at most 2048 characters/);
  const links = words(`javascript:alert(1) ftp://example.com example.com x
    https://user:secret@example.com https://:secret@example.com https://example.com/\ud800`);
  for (const Web of [...links, ' java\tscript:alert(1)', '', '/a', 'https:', 'https://u@a'])
    expect([Web, rejectionOf({ Web })]).toEqual([Web, 'must be an http or https link']);
  for (const Whatsapp of ['987654321', `${NUMBER}1`, `+91${NUMBER}`, '९८७६५४३२१०', ''])
    expect(rejectionOf({ Whatsapp })).toBe('must be exactly 10 digits');
  for (const Whatsapp of [9876543210, {}])
    expect(rejectionOf({ Whatsapp })).toBe('must be 10 digits or null');
});

/** Is called for each URL that is parsed until the end of the test. */
function observeUrls() {
  const RealUrl = URL;
  const parsed = vi.spyOn(globalThis, 'URL').mockImplementation(function (url) {
    return new RealUrl(url);
  });
  onTestFinished(() => parsed.mockRestore());
  return parsed;
}

test('parse handle: a link that is too long is neither normalised nor parsed', () => {
  const parsed = observeUrls();
  const normalise = vi.spyOn(String.prototype, 'normalize');
  const hostile = `https://example.com/${'\u0315\u0300'.repeat(32_000)}`;
  expect(parse('Web', hostile)).toBe(LINK_TOO_LONG);
  expect(parse('Whatsapp', ' '.repeat(64_000))).toBe(ALERT);
  // The first sentence is the reported one.
  expect(rejectionOf({ Web: hostile })).toMatch(/^must be at most 2048 characters/);
  const longer = `https://example.com/${'a'.repeat(HANDLE_LENGTH_MAX)}`;
  expect([accepts({ Web: longer }), isWebUrl(longer)]).toEqual([false, false]);
  expect(parsed).not.toHaveBeenCalled();
  expect(isWebUrl('https://example.com')).toBe(true);
  expect(parsed).toHaveBeenCalledOnce();
  expect(normalise.mock.contexts.filter((text) => String(text).length > 9000)).toEqual([]);
  vi.restoreAllMocks();
});

const STARTS = ['https://', 'https:\\\\', 'https:/\t/'];

test.each(STARTS)('parse handle: no host after %j longer than a DNS name is parsed', (start) => {
  const parsed = observeUrls();
  // U+034F separates marks in the stored form, and the parser of URLs drops it.
  const marks = `${'\u0301'.repeat(30)}\u034f${'\u0323'.repeat(30)}\u034f`.repeat(25);
  const hosts = [`a${marks}.example`, '\ufdfa'.repeat(260), `a@${'b'.repeat(258)}`];
  for (const Web of hosts.map((host) => `${start}${host}/`))
    expect([isWebUrl(Web), accepts({ Web })]).toEqual([false, false]);
  expect(parsed).not.toHaveBeenCalled();
  const longest = `${start}${'a.'.repeat(124)}aaaaa:65535`;
  expect(longest.slice(start.length)).toHaveLength(259);
  const ends = [`/${marks}`, `?${'a.'.repeat(200)}`, `#${'a.'.repeat(200)}`];
  expect(ends.map((end) => isWebUrl(longest + end))).toEqual([true, true, true]);
  expect(parsed).toHaveBeenCalledTimes(3);
});

test('parse handle: the server accepts every parsed value unchanged, and the card shows it', () => {
  const piece = fc.oneof(
    anyText(12),
    fc.constantFrom('\t', ' ', ...words('http: HTTPS: / \\ example.com @ : \ud800 # ?')),
    fc.constantFrom(...words('98765 43210 ९८७६५ +91 0 - e\u0301 \u202e')),
  );
  const typedText = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.constantFrom(...NETWORKS), typedText, (network, typed) => {
      const entry = parseHandle(network, typed);
      if (entry.kind !== 'value') return;
      const handles = { [network]: entry.value };
      expect(socialMediaHandlesSchema.parse(handles)).toEqual(handles);
      expect(socialLinks(handles)).toHaveLength(entry.value === null ? 0 : 1);
    }),
    { numRuns: 3000 },
  );
});

test('social links: are in the order of the card, without stored values that are invalid today', () => {
  const shown = socialLinks({
    Dribbble: 'https://dribbble.com/a',
    X: null,
    Whatsapp: NUMBER,
    Facebook: '',
    Maps: 'https://maps.example/1',
    Web: 'http:/asha.example',
  });
  expect(shown.map(({ network, name, href }) => `${network} ${name} ${href}`)).toEqual([
    'Web Website http://asha.example',
    'Maps Maps https://maps.example/1',
    `Whatsapp Whatsapp https://wa.me/91${NUMBER}`,
    'Dribbble Dribbble https://dribbble.com/a',
  ]);
  const links = words(
    'javascript:alert(1) https://user:secret@a.in https://:secret@a.in data:text/html,x',
  );
  for (const Web of [...links, 'java\tscript:alert(1)', 'not a link'])
    expect(socialLinks({ Web, Whatsapp: '12345' })).toEqual([]);
});
