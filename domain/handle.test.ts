import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';

import { anyText } from '#tests/support/any-text.ts';
import { words } from '#tests/support/words.ts';

import {
  HANDLE_LENGTH_MAX,
  LINK_INVALID,
  LINK_TOO_LONG,
  isWebUrl,
  parseHandle,
  socialLinks,
  socialMediaHandlesSchema,
} from './handle.ts';
import { NETWORKS } from './network.ts';

const ALERT = {
  kind: 'alert',
  message: 'Invalid Phone Number: Should be a 10-digit phone number',
};
const note = (message: string) => ({ kind: 'note', message });
const value = (stored: string | null) => ({ kind: 'value', value: stored });

const TEN_DIGITS = words(`9876543210 +919876543210 919876543210 09876543210 098765-43210
  98765–43210 \u200b9876543210 ९८७६५४३२१० ９８７６５４３２１０`);
const SPACED = ['+91 98765 43210', '+९१ ९८७६५ ४३२१०', ' 98765\u00a043210 ', '(98765) 43.210'];
SPACED.push('\u202a+91 98765 43210\u202c');

test.each(TEN_DIGITS.concat(SPACED))(
  'parse handle: the Whatsapp entry %j becomes ten digits',
  (typed) => {
    expect(parseHandle('Whatsapp', typed)).toEqual(value('9876543210'));
  },
);

const OTHER_NUMBERS = words(`1 987654321 98765432101 00919876543210 +9198765432 +9876543210
  98765abcde - https://wa.me/919876543210`);

test.each(OTHER_NUMBERS.concat(['+1 415 555 2671', '9876543210 ext 5']))(
  'parse handle: the Whatsapp entry %j gets the alert',
  (typed) => {
    expect(parseHandle('Whatsapp', typed)).toEqual(ALERT);
  },
);

test('parse handle: a ten-digit number that starts with 91 or 0 is unchanged', () => {
  expect(parseHandle('Whatsapp', '9198765432')).toEqual(value('9198765432'));
  expect(parseHandle('Whatsapp', '0198765432')).toEqual(value('0198765432'));
});

test.each(NETWORKS)('parse handle: an empty entry removes the handle of %s', (network) => {
  for (const typed of ['', '   ', '\t\n', '\u200b', '\ufeff \u202a\u202c']) {
    expect(parseHandle(network, typed)).toEqual(value(null));
  }
});

test.each([
  ['example.com/me', 'https://example.com/me'],
  ['  https://example.com/me ', 'https://example.com/me'],
  ['http://example.com', 'http://example.com'],
  ['HTTPS://Example.com', 'HTTPS://Example.com'],
  ['http:/example.com', 'http://example.com'],
  ['https:example.com', 'https://example.com'],
  ['https:\\\\example.com', 'https://example.com'],
  ['https:////example.com', 'https://example.com'],
  ['//example.com', 'https://example.com'],
  ['https://exa\tmple.com/\nme', 'https://example.com/me'],
  ['\u202ahttps://example.com\u202c', 'https://example.com'],
  ['https://पाठ.भारत/मैं', 'https://पाठ.भारत/मैं'],
  ['https://example.com/cafe\u0301', 'https://example.com/café'],
  ['maps.google.com/?q=12.97,77.59', 'https://maps.google.com/?q=12.97,77.59'],
  ['httpsfoo.example', 'https://httpsfoo.example'],
  ['medium.com/@asha', 'https://medium.com/@asha'],
  ['https://medium.com/@asha', 'https://medium.com/@asha'],
  ['[2001:db8::1]/x', 'https://[2001:db8::1]/x'],
  ['http://intranet/x', 'http://intranet/x'],
  ['http://localhost:3000/x', 'http://localhost:3000/x'],
  ['https:asha', 'https://asha'],
  ['example.com/?u=http:/x', 'https://example.com/?u=http:/x'],
])('parse handle: the link %j becomes %j', (typed, stored) => {
  expect(parseHandle('Web', typed)).toEqual(value(stored));
});

const NO_LINKS = words(`javascript:alert(1) \u0001javascript:alert(1) data:text/html,x
  mailto:asha@example.com asha@example.com https://user:secret@example.com https://user@example.com
  https://:secret@example.com :secret@example.com https://exa<mple.com http: https:// https://[::1
  localhost:8080/x asha @asha asha@rao.example @asha.example/x https://example.com:99999
  https://example.com/\ud800`);

test.each(NO_LINKS.concat(['java\tscript:alert(1)', 'https://a b.example']))(
  'parse handle: the link %j gets the note of an invalid link',
  (typed) => {
    expect(parseHandle('Web', typed)).toEqual(note(LINK_INVALID));
  },
);

test('parse handle: a link has at most 2,048 characters', () => {
  const longest = `https://example.com/${'a'.repeat(HANDLE_LENGTH_MAX - 20)}`;
  expect(longest).toHaveLength(2048);
  expect(parseHandle('Web', longest)).toEqual(value(longest));
  expect(LINK_TOO_LONG).toBe('A link can have at most 2048 characters.');
  expect(parseHandle('Web', `${longest}a`)).toEqual(note(LINK_TOO_LONG));
  expect(accepts({ Web: longest })).toBe(true);
  expect(accepts({ Web: `${longest}a` })).toBe(false);
});

test('parse handle: an entry of 8,192 characters is parsed, and a longer one is not', () => {
  const link = 'https://example.com'.padEnd(8192);
  expect(parseHandle('Web', link)).toEqual(value('https://example.com'));
  expect(parseHandle('Web', `${link} `)).toEqual(note(LINK_TOO_LONG));
  const number = '9876543210'.padEnd(8192);
  expect(parseHandle('Whatsapp', number)).toEqual(value('9876543210'));
  expect(parseHandle('Whatsapp', `${number} `)).toEqual(ALERT);
});

test.each([
  ['a', 'must be an object of links'],
  [{ X: 5 }, 'must be a link or null'],
  [{ X: 'x' }, 'must be an http or https link'],
  [{ X: `https://x.example/${'\u0958'.repeat(1020)}` }, 'must be at most 2048 characters'],
  [{ Whatsapp: 5 }, 'must be 10 digits or null'],
  [{ Whatsapp: '1' }, 'must be exactly 10 digits'],
])('handles schema: rejects %j with a sentence', (handles, sentence) => {
  const issues = socialMediaHandlesSchema.safeParse(handles).error?.issues;
  expect(issues?.map(({ message }) => message)).toContain(sentence);
});

/** Returns a function that is called for each URL that is parsed until the end of the test. */
function observeUrls() {
  const parsed = vi.fn<(url: string) => void>();
  class ObservedUrl extends URL {
    constructor(url: string) {
      parsed(url);
      super(url);
    }
  }
  vi.stubGlobal('URL', ObservedUrl);
  onTestFinished(() => void vi.unstubAllGlobals());
  return parsed;
}

test('parse handle: a link that is too long is neither normalised nor parsed', () => {
  const parsed = observeUrls();
  const normalise = vi.spyOn(String.prototype, 'normalize');
  const hostile = `https://example.com/${'\u0315\u0300'.repeat(32_000)}`;
  expect(parseHandle('Web', hostile)).toEqual(note(LINK_TOO_LONG));
  expect(parseHandle('Whatsapp', ' '.repeat(64_000))).toEqual(ALERT);
  const { error } = socialMediaHandlesSchema.safeParse({ Web: hostile });
  // The first issue is the reported one.
  expect(error?.issues[0]?.message).toBe('must be at most 2048 characters');
  const longer = `https://example.com/${'a'.repeat(HANDLE_LENGTH_MAX)}`;
  expect(accepts({ Web: longer })).toBe(false);
  expect(isWebUrl(longer)).toBe(false);
  expect(parsed).not.toHaveBeenCalled();
  expect(isWebUrl('https://example.com')).toBe(true);
  expect(parsed).toHaveBeenCalledOnce();
  expect(normalise.mock.contexts.filter((text) => String(text).length > 9000)).toEqual([]);
  vi.restoreAllMocks();
});

test.each(['https://', 'https:\\\\', 'https:/\t/'])(
  'parse handle: a host after %j that is longer than a DNS name is not parsed',
  (start) => {
    const parsed = observeUrls();
    // U+034F separates marks in the stored form, and the parser of URLs drops it.
    const marks = `${'\u0301'.repeat(30)}\u034f${'\u0323'.repeat(30)}\u034f`.repeat(25);
    const hosts = [`a${marks}.example`, '\ufdfa'.repeat(260), `a@${'b'.repeat(258)}`];
    for (const host of hosts) {
      expect(isWebUrl(`${start}${host}/`)).toBe(false);
      expect(accepts({ Web: `${start}${host}/` })).toBe(false);
    }
    expect(parsed).not.toHaveBeenCalled();
    const longest = `${'a.'.repeat(124)}aaaaa:65535`;
    expect(longest).toHaveLength(259);
    expect(isWebUrl(`${start}${longest}/${marks}`)).toBe(true);
    expect(isWebUrl(`${start}${longest}?${'a.'.repeat(200)}`)).toBe(true);
    expect(isWebUrl(`${start}${longest}#${'a.'.repeat(200)}`)).toBe(true);
    expect(parsed).toHaveBeenCalledTimes(3);
  },
);

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

function accepts(handles: unknown): boolean {
  return socialMediaHandlesSchema.safeParse(handles).success;
}

test('handles schema: accepts ten digits for Whatsapp and nothing else', () => {
  expect(accepts({ Whatsapp: '9876543210' })).toBe(true);
  const rejected = ['987654321', '98765432101', '+919876543210', '९८७६५४३२१०', '', 9876543210, {}];
  expect(rejected.filter((number) => accepts({ Whatsapp: number }))).toEqual([]);
});

test('handles schema: rejects other links and texts than http and https', () => {
  const rejected = words(`javascript:alert(1) ftp://example.com example.com
    https://user:secret@example.com https://:secret@example.com https://example.com/\ud800`);
  const others = [' java\tscript:alert(1)', ''];
  expect([...rejected, ...others].filter((url) => accepts({ Web: url }))).toEqual([]);
});

test('handles schema: keeps null, adds nothing and drops unknown networks', () => {
  const known = { X: null, Web: 'https://a.example' };
  const handles = { ...known, Orkut: 'https://b.example' };
  expect(socialMediaHandlesSchema.parse(handles)).toEqual(known);
});

test('social links: are in the order of the card, and Whatsapp has the country code of India', () => {
  const links = socialLinks({
    Dribbble: 'https://dribbble.com/a',
    X: null,
    Whatsapp: '9876543210',
    Facebook: '',
    Maps: 'https://maps.example/1',
    Web: 'https://asha.example',
  });
  expect(links).toEqual([
    { network: 'Web', name: 'Website', href: 'https://asha.example' },
    { network: 'Maps', name: 'Maps', href: 'https://maps.example/1' },
    { network: 'Whatsapp', name: 'Whatsapp', href: 'https://wa.me/919876543210' },
    { network: 'Dribbble', name: 'Dribbble', href: 'https://dribbble.com/a' },
  ]);
});

test('social links: skip stored values that are invalid today', () => {
  expect(
    socialLinks({
      Web: 'javascript:alert(1)',
      Maps: 'java\tscript:alert(1)',
      Whatsapp: '12345',
      Instagram: 'not a link',
      LinkedIn: 'https://user:secret@example.com',
      Facebook: 'https://:secret@example.com',
      Pinterest: 'data:text/html,x',
    }),
  ).toEqual([]);
});

test('social links: a stored URL with one slash leads to its host', () => {
  expect(socialLinks({ Web: 'http:/evil.example' })).toEqual([
    { network: 'Web', name: 'Website', href: 'http://evil.example' },
  ]);
});

test('web URL: is http or https with a host and without credentials', () => {
  const credentials = ['https://u@a', 'https://:p@a', 'https://u:p@a'];
  const urls = ['https://a.example', 'http://a.example', 'ftp://a', ...credentials, '/a', 'https:'];
  expect(urls.filter(isWebUrl)).toEqual(['https://a.example', 'http://a.example']);
});

test.each([
  ['Instagram', '@ananyak', 'https://www.instagram.com/ananyak'],
  ['Instagram', ' ananyak ', 'https://www.instagram.com/ananyak'],
  ['Instagram', '@ananya.k', 'https://www.instagram.com/ananya.k'],
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
] as const)('handle of %s: the user name or link %j becomes %s', (network, typed, stored) => {
  expect(parseHandle(network, typed)).toEqual(value(stored));
});

test.each(['@', '..', '@.', '@ananya k', '@ananyak/x', 'ananyak/x'])(
  'handle of Instagram: %j is neither a user name nor a link',
  (typed) => {
    expect(parseHandle('Instagram', typed)).toEqual(note(LINK_INVALID));
  },
);
