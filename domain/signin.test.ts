import { expect, test } from 'vitest';

import { STORAGE_KEYS, loginAction, pageAfterSignIn } from './signin.ts';

test('page after sign-in: dashboard with a name, else onboarding with the phone in the query', () => {
  expect(pageAfterSignIn({ name: 'Asha', phone: '+919876543210' })).toBe('/dashboard/');
  for (const name of ['', '  ']) {
    const page = new URL(pageAfterSignIn({ name, phone: '+91 98&765#43210' }), 'https://a.example');
    expect([page.pathname, page.searchParams.get('phone')]).toEqual(['/ftue', '+91 98&765#43210']);
  }
});

test('storage keys: are those of docs/product.md#storage-keys', () => {
  expect(Object.values(STORAGE_KEYS)).toEqual(['_id', 'sessionToken', 'signedIn']);
});

const NOTHING = { hasId: false, hasToken: false, hasMarker: false, isRedirected: false };
const SESSION = { hasId: true, hasToken: true, hasMarker: true, isRedirected: false };

test('login action: depends on the stored session, its marker and a redirect', () => {
  expect(loginAction(SESSION)).toBe('dashboard');
  expect(loginAction({ ...SESSION, hasMarker: false })).toBe('dashboard');
  // Although id and token are stored.
  expect(loginAction({ ...SESSION, isRedirected: true })).toBe('widget');
  // An incomplete session, unless there is no marker.
  const half = [{ hasId: false }, { hasToken: false }].map((lack) => ({ ...SESSION, ...lack }));
  const incomplete = [...half, { ...NOTHING, hasMarker: true }];
  expect(incomplete.map(loginAction)).toEqual(['clear', 'clear', 'clear']);
  expect([{ ...NOTHING, hasId: true }, NOTHING].map(loginAction)).toEqual(['widget', 'widget']);
});
