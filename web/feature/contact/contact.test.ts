import { expect, test } from 'vitest';

import type { OwnContact } from '#contract/contacts-view.ts';

import { searchKept } from './kept.ts';
import { NO_SELECTION, withDeleted, withPatch, withRestored, withUndoEnded } from './selection.ts';
import { withoutSent } from './use-drafts.ts';

const contact = (name: string, mobile = '', tags: string[] = []): OwnContact => {
  const empty = { companyName: '', email: '', note: '', notice: '', received: null };
  return { ...empty, _id: name, name, mobile, tags, receivedAt: '2026-01-15T09:00:00.000Z' };
};

const KEPT = [
  contact('Zoë', '98765 43210', ['Lead']),
  contact('René', '1', ['Lead', 'Fair']),
  contact('Émile', '2'),
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

const [a, b] = [contact('a'), contact('b')];
const open = (selected: OwnContact) => ({ ...NO_SELECTION, selected });

test('open contact: stays when the reply of another one arrives', () => {
  expect(withPatch(open(b), 'a', { note: 'Late' }).selected).toEqual(b);
  const afterDeletion = withDeleted(open(b), a);
  expect(afterDeletion.selected).toEqual(b);
  expect(withRestored(afterDeletion, a).selected).toEqual(b);
});

test('open contact: the replies of a note and of tags do not overwrite each other', () => {
  const state = withPatch(withPatch(open(a), 'a', { tags: ['Fair'] }), 'a', { note: 'Met' });
  expect(state.selected).toEqual({ ...a, note: 'Met', tags: ['Fair'] });
});

test('open contact: after a second deletion the first can still be undone, with a note that was saved late', () => {
  const both = withDeleted(withDeleted(open(a), a), b);
  expect(both).toEqual({ selected: null, deletedIds: new Set(['a', 'b']), restorable: [a, b] });
  expect(withUndoEnded(both, 'b').restorable).toEqual([a]);
  const restored = withRestored(both, a);
  expect(restored).toEqual({ selected: a, deletedIds: new Set(['b']), restorable: [b] });
  expect(withPatch(both, 'a', { note: 'Late' }).restorable).toEqual([{ ...a, note: 'Late' }, b]);
});

test('drafts: text that was typed during a save stays, and text that was sent is removed', () => {
  const drafts = new Map([
    ['a', { note: 'Sent, and more', hasFailed: false }],
    ['b', { note: 'Sent\u0000', hasFailed: true }],
  ]);
  expect(withoutSent(drafts, 'a', 'Sent')).toBe(drafts);
  expect([...withoutSent(drafts, 'b', 'Sent').keys()]).toEqual(['a']);
});
