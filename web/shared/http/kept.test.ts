import { expect, test } from 'vitest';

import { findContacts } from '#contract/contacts-view.ts';
import { DAY_MS } from '#domain/duration.ts';

import { readKeptQueries, mergeKeptQueries } from './kept.ts';

const ID = '3f9Kq2';
const PROFILE = {
  _id: ID,
  name: 'Asha Rao',
  designation: 'Partner',
  companyName: 'Rao',
  bio: '',
  phone: '+91 98765 43210',
  email: 'asha@example.com',
  profilePhoto: '',
  socialMediaHandles: { Web: 'https://example.com' },
};
const CONTACTS = '/profile/getContacts/:id';
const FOUND = { contacts: [], next: '', count: 0, heldCount: 0, tags: [] };

const query = (path: string, data: unknown, ageMs = 0) => ({
  queryKey: [path, ID],
  queryHash: `["${path}","${ID}"]`,
  state: { data, dataUpdatedAt: Date.now() - ageMs, status: 'success' },
  meta: { isKept: true },
});
type Query = ReturnType<typeof query>;
const answer = (body: unknown) => ({ body, headers: {} });

/** Returns the text that version 2.0.0 stores. */
const kept = (...queries: readonly Query[]) =>
  JSON.stringify({
    buster: '2.0.0',
    timestamp: Date.now(),
    clientState: { mutations: [], queries },
  });

const shownOf = (text: string) =>
  readKeptQueries(text).clientState.queries.map(({ queryKey, state }) => [queryKey[0], state.data]);

test('kept: what 2.0.0 has stored is read, with defaults for what is new', () => {
  const { bio: _, ...older } = PROFILE;
  const later = { ...PROFILE, pronouns: 'she' };
  for (const profile of [PROFILE, older, later]) {
    const address = answer({ name: 'asha' });
    const text = kept(query('/user/:id', answer(profile)), query('/user/:id/address', address));
    expect(shownOf(text)).toEqual([
      ['/user/:id', answer({ ...PROFILE, ...profile, bio: '' })],
      ['/user/:id/address', answer({ name: 'asha', former: [] })],
    ]);
  }
});

test('kept: only lists of contacts end, after seven days, whichever way the clock was wrong', () => {
  const pages = { pages: [{ ...FOUND, query: {} }], pageParams: [null] };
  const at = (ageMs: number) =>
    shownOf(
      kept(
        query('/user/:id', answer(PROFILE), ageMs),
        query(CONTACTS, answer([]), ageMs),
        query(findContacts.path, pages, ageMs),
      ),
    ).map(([path]) => path);
  expect(at(6 * DAY_MS)).toEqual(['/user/:id', CONTACTS, findContacts.path]);
  for (const days of [8, 800, -8]) expect(at(days * DAY_MS)).toEqual(['/user/:id']);
});

test.each([
  ['text', 'Asha'],
  ['nothing', null],
  ['no body', { headers: {} }],
  ['no headers', { body: PROFILE }],
  ['another body', answer({ card: PROFILE })],
  ['pages', { pages: [{ card: PROFILE }], pageParams: [null] }],
])('kept: another shape (%s) is not shown, and stays until it is replaced', (_, data) => {
  const other = query('/user/:id', data);
  const appearance = query('/user/:id/appearance', answer({ palette: 'photo', hue: null }));
  expect(shownOf(kept(other))).toEqual([]);
  const both = mergeKeptQueries(kept(other), kept(appearance));
  expect(JSON.parse(both)).toMatchObject({ clientState: { queries: [appearance, other] } });
  const newer = query('/user/:id', answer(PROFILE));
  expect(shownOf(mergeKeptQueries(both, kept(newer)))[0]).toEqual(['/user/:id', answer(PROFILE)]);
  expect(mergeKeptQueries(both, kept(newer))).not.toContain(JSON.stringify(other));
});

test.each(['', '{', '[]', '1', 'null', '{"clientState":{}}', '{"clientState":{"queries":1}}'])(
  'kept: %j is as nothing',
  (text) => {
    expect(shownOf(text)).toEqual([]);
    const next = query('/user/:id', answer(PROFILE));
    expect(shownOf(mergeKeptQueries(text, kept(next)))).toEqual([['/user/:id', answer(PROFILE)]]);
  },
);
