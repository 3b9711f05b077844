import { expect, test } from 'vitest';

import { mergeNewest } from './use-newest-contacts.ts';

const contacts = (...ids: string[]) =>
  ids.map((_id) => ({ _id, name: _id, companyName: '', email: '', mobile: '' }));

test('newest contacts: without a new one the list is unchanged', () => {
  const shown = contacts('c', 'b', 'a');
  expect(mergeNewest(shown, contacts('c', 'b'))).toEqual({ contacts: shown, hasGap: false });
  expect(mergeNewest(shown, contacts('c', 'b')).contacts).toBe(shown);
});

test('newest contacts: new ones are added at the start, and those of an empty list are no gap', () => {
  const merged = mergeNewest(contacts('c', 'b', 'a'), contacts('e', 'd', 'c'));
  expect(merged).toEqual({ contacts: contacts('e', 'd', 'c', 'b', 'a'), hasGap: false });
  const first = contacts('b', 'a');
  expect(mergeNewest([], first)).toEqual({ contacts: first, hasGap: false });
});

test('newest contacts: replace the list if they have no contact in common with it', () => {
  const newest = contacts('z', 'y');
  expect(mergeNewest(contacts('b', 'a'), newest)).toEqual({ contacts: newest, hasGap: true });
});
