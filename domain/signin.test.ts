import { expect, test } from 'vitest';

import { STORAGE_KEYS, loginAction, pageAfterSignIn } from './signin.ts';

test('a user with a name goes to the dashboard', () => {
  expect(pageAfterSignIn({ name: 'Asha', phone: '+919876543210' })).toBe('/dashboard/');
});

test('a user without a name goes to onboarding with the phone in the query, read back whole', () => {
  for (const name of ['', '  ']) {
    const page = new URL(pageAfterSignIn({ name, phone: '+91 98&765#43210' }), 'https://a.example');
    expect([page.pathname, page.searchParams.get('phone')]).toEqual(['/ftue', '+91 98&765#43210']);
  }
});

test('the storage keys are the specified ones', () => {
  expect(Object.values(STORAGE_KEYS)).toEqual(['_id', 'sessionToken', 'signedIn']);
});

const NOTHING = { hasId: false, hasToken: false, hasMarker: false, isRedirected: false };
const SESSION = { hasId: true, hasToken: true, hasMarker: true, isRedirected: false };

test('id and token lead to the dashboard, with or without the marker', () => {
  expect(loginAction(SESSION)).toBe('dashboard');
  expect(loginAction({ ...SESSION, hasMarker: false })).toBe('dashboard');
});

test('an owner sent here by a failure sees the widget, although id and token are stored', () => {
  expect(loginAction({ ...SESSION, isRedirected: true })).toBe('widget');
});

test('a storage that was half cleared is cleared', () => {
  expect(loginAction({ ...SESSION, hasId: false })).toBe('clear');
  expect(loginAction({ ...SESSION, hasToken: false })).toBe('clear');
  expect(loginAction({ ...NOTHING, hasMarker: true })).toBe('clear');
});

test('without a marker, half a session is left alone', () => {
  expect(loginAction({ ...NOTHING, hasId: true })).toBe('widget');
  expect(loginAction(NOTHING)).toBe('widget');
});
