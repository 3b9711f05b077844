import { expect, test } from 'vitest';

import {
  addressedName,
  displayName,
  displayShort,
  firstName,
  initials,
  isLongBio,
  nameTraits,
  pageTitle,
  textDirection,
} from './display.ts';

test('display name: is Unknown without a name', () => {
  const names = ['', '  ', 'Asha'].map((name) => displayName({ name }));
  expect(names).toEqual(['Unknown', 'Unknown', 'Asha']);
});

test('short text: is cut to 20 characters and three dots', () => {
  expect(displayShort('asha.rao@example.com')).toBe('asha.rao@example.com');
  expect(displayShort('asha.rao1@example.com')).toBe('asha.rao1@example.co...');
});

test('first name: is the first word of the name', () => {
  const names = ['Asha Rao', '  Asha\u00a0Rao', 'Asha', '', 'आशा राव'];
  expect(names.map((name) => firstName({ name }))).toEqual(['Asha', 'Asha', 'Asha', '', 'आशा']);
});

test('addressed name: is the first word that is no title', () => {
  const names = ['Prof. Dr Ananya Rao', 'Dr', ''];
  expect(names.map((name) => addressedName({ name }))).toEqual(['Ananya', 'Dr', 'Unknown']);
});

test('initials: are whole letters of the first and the last word', () => {
  const [firstLetter] = new Intl.Segmenter().segment('क्षितिज');
  const expected = {
    'Asha Devi Rao': 'AR',
    ' Asha   Rao ': 'AR',
    asha: 'A',
    '': '',
    '  ': '',
    'क्षितिज राव': `${firstLetter?.segment}रा`,
    '😀 Rao': 'R',
    '42': '',
    '\u0600asha': '',
    'é\u0323va Öz': 'É\u0323Ö',
  };
  const found = Object.keys(expected).map((name) => [name, initials({ name })]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

test('page title: has the name and designation', () => {
  expect(pageTitle({ name: 'Asha Rao', designation: 'Engineer' })).toBe('Asha Rao - Engineer');
  expect(pageTitle({ name: 'Asha Rao', designation: '' })).toBe('Asha Rao');
  expect(pageTitle({ name: '', designation: 'Engineer' })).toBe('Unknown - Engineer');
});

test('name: is set smaller above 22 and 40 graphemes, and with a long word', () => {
  const expected = {
    'Asha Rao': [],
    ['ab '.repeat(8)]: ['medium'],
    ['ab '.repeat(14)]: ['small'],
    'Jean-Baptiste Roux': [],
    Subramanian: ['wide'],
    Venkatasubramanian: ['wider'],
    Venkatasubramaniaswamy: ['widest'],
    'தமிழ்ச்செல்வி கண்ணன்': ['tall', 'wider'],
    'देवदत्त कुलकर्णी': ['tall'],
    വെങ്കടസുബ്രഹ്മണ്യം: ['tall', 'widest'],
  };
  const found = Object.keys(expected).map((name) => [name, nameTraits(name)]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

test('name: scripts other than Latin, Greek and Cyrillic have more space between lines', () => {
  const tall = ['देवदत्त कुलकर्णी', 'தமிழ்ச்செல்வி', 'محمد خان'];
  const names = ['René Ó Súilleabháin', 'Ольга', ...tall];
  expect(names.filter((name) => nameTraits(name).includes('tall'))).toEqual(tall);
});

test('text direction: is that of the first letter of the name', () => {
  const rightToLeft = ['ליאור כהן', 'أحمد Ahmed', '1. محمد'];
  const names = ['Asha Rao', 'श्रीनिवास', '2Pac', '', '123', 'Ahmed أحمد', ...rightToLeft];
  expect(names.filter((name) => textDirection(name) === 'rtl')).toEqual(rightToLeft);
  expect(textDirection('Asha Rao')).toBe('ltr');
});

test('long bio: has more than seven lines on a phone', () => {
  expect(['', 'a\n'.repeat(7), 'word '.repeat(60)].map(isLongBio)).toEqual([false, false, false]);
  expect(['a\n'.repeat(8), 'word '.repeat(70)].map(isLongBio)).toEqual([true, true]);
});
