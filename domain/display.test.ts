import { expect, test } from 'vitest';

import { EMPTY_PROFILE } from '#tests/support/profile.ts';
import { expectResults } from '#tests/support/results.ts';

import { firstNameWithoutTitle, displayName, firstName, initials } from './display.ts';
import {
  isLongBio,
  linkDescription,
  nameVariants,
  splitNumbers,
  textDirection,
} from './display.ts';
import { signatureText } from './signature.ts';

test('name: is Unknown without one, by its first word, or the first one that is no title', () => {
  expectResults((name) => displayName({ name }), {
    '': 'Unknown',
    ' \u2800': 'Unknown',
    Asha: 'Asha',
  });
  const firstWords = { 'Asha Rao': 'Asha', '  Asha\u00a0Rao': 'Asha', '': '', 'आशा राव': 'आशा' };
  expectResults((name) => firstName({ name }), firstWords);
  const addressed = {
    'Prof. Dr Ananya Rao': 'Ananya',
    'Dr.Rohan Mehta': 'Rohan',
    '(Ms) Priya, CA': 'Priya',
    '🌸 Asha': 'Asha',
    Dr: 'Dr',
    '': 'Unknown',
  };
  expectResults((name) => firstNameWithoutTitle({ name }), addressed);
});

test('initials: are whole letters of the first and the last word', () => {
  const [firstLetter] = new Intl.Segmenter().segment('क्षितिज');
  expectResults((name) => initials({ name }), {
    'Asha Devi Rao': 'AR',
    ' Asha   Rao ': 'AR',
    asha: 'A',
    '': '',
    '  ': '',
    'क्षितिज राव': `${firstLetter?.segment}रा`,
    '😀 Rao': 'R',
    '42': '',
    "\u200e'Asha' 2Pac": 'AP',
    'é\u0323va Öz': 'É\u0323Ö',
    'डॉ. मीरा राव': 'मीरा'.slice(0, 2) + 'रा',
    'டாக்டர் மீரா': 'மீ',
    'ڈاکٹر احمد خان': 'اخ',
  });
});

test('name: is set smaller above 22 and 40 graphemes and with a long word, and taller in scripts other than Latin, Greek and Cyrillic', () => {
  expectResults<readonly string[]>(nameVariants, {
    'Asha Rao': [],
    [`${'ab '.repeat(7)}a`]: [],
    ['ab '.repeat(8)]: ['medium'],
    ['ab '.repeat(14)]: ['small'],
    'Jean-Baptiste Roux': [],
    'René Ó Súilleabháin': ['wide'],
    Ольга: [],
    Subramanian: ['wide'],
    Venkatasubramanian: ['wider'],
    Venkatasubramaniaswamy: ['widest'],
    'தமிழ்ச்செல்வி கண்ணன்': ['tall', 'wider'],
    'देवदत्त कुलकर्णी': ['tall'],
    'محمد خان': ['tall'],
    വെങ്കടസുബ്രഹ്മണ്യം: ['tall', 'widest'],
  });
});

test('text direction: is that of the first letter of the name; a number in Urdu is a part of its own', () => {
  const rightToLeft = ['ליאור כהן', 'أحمد Ahmed', '1. محمد'];
  const names = ['Asha Rao', 'श्रीनिवास', '2Pac', '', '123', 'Ahmed أحمد', ...rightToLeft];
  expect(names.filter((name) => textDirection(name) !== 'ltr')).toEqual(rightToLeft);
  const parts = ['بجے ', '10:30', ' سے ', '(022) 26', ' یا ', '+91 9876-5', ' تک'];
  expect(splitNumbers(parts.join(''))).toEqual(parts);
});

const descriptionOf = (texts: object) => linkDescription({ ...EMPTY_PROFILE, ...texts });

test('link description: is the role, or the beginning of About', () => {
  const bio = ' One\ntwo ';
  const role = { designation: 'Architect', companyName: 'Rao' };
  expect(descriptionOf({ bio, ...role })).toBe('Architect · Rao');
  expect(descriptionOf({ bio, companyName: 'Rao' })).toBe('Rao');
  expect([descriptionOf({ bio }), descriptionOf({})]).toEqual(['One two', '']);
  expect(descriptionOf({ bio: 'a'.repeat(300) })).toBe(`${'a'.repeat(160)}...`);
});

test('long bio: has more than seven lines on a phone', () => {
  const long = ['a\n'.repeat(8), 'word '.repeat(70)];
  expect(['', 'a\n'.repeat(7), 'word '.repeat(60), ...long].filter(isLongBio)).toEqual(long);
});

test('signature as text: has a line for each text of the card that is not empty', () => {
  const socialMediaHandles = { Web: 'https://rao.example/' };
  const [phone, email] = ['+91 98765 43210', 'asha@rao.example'];
  const texts = { name: ' Asha Rao ', designation: 'Architect', companyName: 'Rao & Partners' };
  const profile = { ...EMPTY_PROFILE, ...texts, phone, email, socialMediaHandles };
  const link = 'https://cards.example/user/1';
  const linesOf = (card: typeof profile) => signatureText(card, link).split('\n');
  const end = [`My digital business card: ${link}`, 'Website: https://rao.example/'];
  const full = ['Asha Rao', 'Architect, Rao & Partners', phone, email, ...end];
  expect(linesOf(profile)).toEqual(full);
  const short = { ...profile, designation: '', phone: '', email: ' ' };
  expect(linesOf(short)).toEqual(['Asha Rao', 'Rao & Partners', ...end]);
  // Mail programs end a link at a space.
  const spaced = { ...profile, socialMediaHandles: { Web: 'https://rao.example/about us?q=à' } };
  expect(linesOf(spaced).at(-1)).toBe('Website: https://rao.example/about%20us?q=%C3%A0');
});
