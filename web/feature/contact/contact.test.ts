import { expect, test } from 'vitest';

import type { OwnContact } from '#contract/contacts-view.ts';

import { NO_SELECTION, withDeleted, withPatch, withRestored, withUndoEnded } from './selection.ts';
import { withoutSent } from './use-drafts.ts';

const contact = (name: string): OwnContact => {
  const texts = { companyName: '', email: '', mobile: '', note: '', notice: '' };
  return {
    ...texts,
    _id: name,
    name,
    tags: [],
    source: '',
    received: null,
    contactedAt: null,
    reminderDay: null,
    receivedAt: '2026-01-15',
  };
};
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
  expect(both).toEqual({ selected: null, restorable: [a, b] });
  expect(withUndoEnded(both, 'b').restorable).toEqual([a]);
  const restored = withRestored(both, a);
  expect(restored).toEqual({ selected: a, restorable: [b] });
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
