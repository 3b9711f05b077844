import { expect, test } from 'vitest';

import { shortenProperties } from './style.ts';

test('style: custom properties get short names, the same in all style sheets', () => {
  const shorten = shortenProperties(':root{--ink:#000;--ink-soft:#333}', '.card{color:var(--ink)}');
  expect(shorten('.card{--ink:red;color:var(--ink-soft)}')).toBe('.card{--0:red;color:var(--1)}');
  expect(shorten('.card--ink{color:var(--own)}')).toBe('.card--ink{color:var(--own)}');
});
