import { expect, test } from 'vitest';

import { mergeNewest } from './use-newest-contacts.ts';

const contacts = (...ids: string[]) =>
  ids.map((_id) => ({ _id, name: _id, companyName: '', email: '', mobile: '' }));

test('newest contacts: without a new one the list is unchanged', () => {
  const shown = contacts('c', 'b', 'a');
  expect(mergeNewest(shown, contacts('c', 'b'))).toEqual({ contacts: shown, hasGap: false });
  expect(mergeNewest(shown, contacts('c', 'b')).contacts).toBe(shown);
});

test('newest contacts: new ones are added at the start, and the old ones stay', () => {
  expect(mergeNewest(contacts('c', 'b', 'a'), contacts('e', 'd', 'c'))).toEqual({
    contacts: contacts('e', 'd', 'c', 'b', 'a'),
    hasGap: false,
  });
});

test('newest contacts: the first ones of an empty list are not reported as a gap', () => {
  expect(mergeNewest([], contacts('b', 'a'))).toEqual({
    contacts: contacts('b', 'a'),
    hasGap: false,
  });
});

test('newest contacts: replace the list if they have no contact in common with it', () => {
  expect(mergeNewest(contacts('b', 'a'), contacts('z', 'y'))).toEqual({
    contacts: contacts('z', 'y'),
    hasGap: true,
  });
});
