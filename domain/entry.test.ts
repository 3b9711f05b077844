import { expect, test } from 'vitest';

import { loginEntry } from './entry.ts';

const NOTHING = { hasId: false, hasToken: false, hasMarker: false, isSentHere: false };
const SESSION = { hasId: true, hasToken: true, hasMarker: true, isSentHere: false };

test('id and token lead to the dashboard, with or without the marker', () => {
  expect(loginEntry(SESSION)).toBe('dashboard');
  expect(loginEntry({ ...SESSION, hasMarker: false })).toBe('dashboard');
});

test('an owner sent here by a failure sees the widget, although id and token are stored', () => {
  expect(loginEntry({ ...SESSION, isSentHere: true })).toBe('widget');
});

test('a storage that was half cleared is cleared', () => {
  expect(loginEntry({ ...SESSION, hasId: false })).toBe('clear');
  expect(loginEntry({ ...SESSION, hasToken: false })).toBe('clear');
  expect(loginEntry({ ...NOTHING, hasMarker: true })).toBe('clear');
});

test('without a marker, half a session is left alone', () => {
  expect(loginEntry({ ...NOTHING, hasId: true })).toBe('widget');
  expect(loginEntry(NOTHING)).toBe('widget');
});
