import { expect, test } from 'vitest';

import { addContact } from './contact.ts';

function isAccepted(notice: string): boolean {
  const contact = { name: 'Ravi', mobile: '1', notice };
  return addContact.body.safeParse({ userID: '1'.repeat(16), contact }).success;
}

test('version of the notice: is twelve hexadecimal digits, or none', () => {
  const versions = ['', '0123456789ab', '0123456789a', '0123456789abc', '0123456789AB', ' '];
  expect(versions.filter(isAccepted)).toEqual(['', '0123456789ab']);
});
