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
  expect(['', '  ', 'Asha'].map((name) => displayName({ name }))).toEqual([
    'Unknown',
    'Unknown',
    'Asha',
  ]);
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
  const names = [
    'Asha Devi Rao',
    ' Asha   Rao ',
    'asha',
    '',
    '  ',
    'क्षितिज राव',
    '😀 Rao',
    '42',
    '\u0600asha',
    'é\u0323va Öz',
  ];
  expect(names.map((name) => initials({ name }))).toEqual([
    'AR',
    'AR',
    'A',
    '',
    '',
    [...new Intl.Segmenter().segment('क्षितिज')][0]?.segment + 'रा',
    'R',
    '',
    '',
    'É\u0323Ö',
  ]);
});

test('page title: has the name and designation', () => {
  expect(pageTitle({ name: 'Asha Rao', designation: 'Engineer' })).toBe('Asha Rao - Engineer');
  expect(pageTitle({ name: 'Asha Rao', designation: '' })).toBe('Asha Rao');
  expect(pageTitle({ name: '', designation: 'Engineer' })).toBe('Unknown - Engineer');
});

test('name: is set smaller above 22 and 40 graphemes, and with a long word', () => {
  const names = [
    'Asha Rao',
    'ab '.repeat(8),
    'ab '.repeat(14),
    'Jean-Baptiste Roux',
    'Subramanian',
    'Venkatasubramanian',
    'Venkatasubramaniaswamy',
    'தமிழ்ச்செல்வி கண்ணன்',
    'देवदत्त कुलकर्णी',
    'വെങ്കടസുബ്രഹ്മണ്യം',
  ];
  expect(names.map(nameTraits)).toEqual([
    [],
    ['medium'],
    ['small'],
    [],
    ['wide'],
    ['wider'],
    ['widest'],
    ['tall', 'wider'],
    ['tall'],
    ['tall', 'widest'],
  ]);
});

test('name: scripts other than Latin, Greek and Cyrillic have more space between lines', () => {
  const names = ['René Ó Súilleabháin', 'Ольга', 'देवदत्त कुलकर्णी', 'தமிழ்ச்செல்வி', 'محمد خان'];
  expect(names.map((name) => nameTraits(name).includes('tall'))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

test('text direction: is that of the first letter of the name', () => {
  expect(['Asha Rao', 'श्रीनिवास', '2Pac', '', '123'].map(textDirection)).toEqual([
    'ltr',
    'ltr',
    'ltr',
    'ltr',
    'ltr',
  ]);
  expect(['ליאור כהן', 'أحمد Ahmed', '1. محمد'].map(textDirection)).toEqual(['rtl', 'rtl', 'rtl']);
  expect(textDirection('Ahmed أحمد')).toBe('ltr');
});

test('long bio: has more than seven lines on a phone', () => {
  expect(['', 'a\n'.repeat(7), 'word '.repeat(60)].map(isLongBio)).toEqual([false, false, false]);
  expect(['a\n'.repeat(8), 'word '.repeat(70)].map(isLongBio)).toEqual([true, true]);
});
