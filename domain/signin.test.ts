import { expect, test } from 'vitest';

import { STORAGE_KEYS, pageAfterSignIn } from './signin.ts';

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
