import { expect, test } from 'vitest';

import { withoutSent } from './note.tsx';

test('drafts: text that was typed during a save stays, and text that was sent is removed', () => {
  const drafts = new Map([
    ['a', { note: 'Sent, and more', hasFailed: false }],
    ['b', { note: 'Sent\u0000', hasFailed: true }],
  ]);
  expect(withoutSent(drafts, 'a', 'Sent')).toBe(drafts);
  expect([...withoutSent(drafts, 'b', 'Sent').keys()]).toEqual(['a']);
});
