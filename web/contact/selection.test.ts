import { expect, test } from 'vitest';

import type { OwnContact } from '#contract/contacts-view.ts';

import { NO_SELECTION, withDeleted, withPatch, withRestored, withUndoEnded } from './selection.ts';

const EMPTY = { companyName: '', email: '', mobile: '', note: '', notice: '', received: null };
const receivedAt = '2026-01-15T09:00:00.000Z';
const contact = (_id: string): OwnContact => ({ ...EMPTY, _id, name: _id, tags: [], receivedAt });
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

test('open contact: after a second deletion the first can still be undone', () => {
  const both = withDeleted(withDeleted(open(a), a), b);
  expect(both).toEqual({ selected: null, deletedIds: new Set(['a', 'b']), restorable: [a, b] });
  expect(withUndoEnded(both, 'b').restorable).toEqual([a]);
  const restored = withRestored(both, a);
  expect(restored).toEqual({ selected: a, deletedIds: new Set(['b']), restorable: [b] });
});

test('open contact: a note that is saved after the deletion is there after the undo', () => {
  const [restorable] = withPatch(withDeleted(open(a), a), 'a', { note: 'Late' }).restorable;
  expect(restorable?.note).toBe('Late');
});
