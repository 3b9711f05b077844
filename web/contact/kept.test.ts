import { expect, test } from 'vitest';

import { searchKept } from './kept.ts';

const EMPTY = { companyName: '', email: '', note: '', notice: '', received: null };
const receivedAt = '2026-01-15T09:00:00.000Z';
const contact = (name: string, mobile: string, tags: string[]) => {
  return { ...EMPTY, _id: name, name, mobile, tags, receivedAt };
};
const KEPT = [
  contact('Zoë', '98765 43210', ['Lead']),
  contact('René', '1', ['Lead', 'Fair']),
  contact('Émile', '2', []),
];
const ALL = { search: '', tag: '', order: 'newest' } as const;

test.each([
  [ALL, ['Zoë', 'René', 'Émile']],
  [{ ...ALL, order: 'name' } as const, ['Émile', 'René', 'Zoë']],
  [{ ...ALL, search: 'rene' }, ['René']],
  [{ ...ALL, search: '+91 98765-43210' }, ['Zoë']],
  [{ ...ALL, tag: 'Lead', search: 'e' }, ['Zoë', 'René']],
  [{ ...ALL, search: 'nobody' }, []],
])('kept contacts: %j finds %j', (query, names) => {
  expect(searchKept(KEPT, query).map(({ name }) => name)).toEqual(names);
});
