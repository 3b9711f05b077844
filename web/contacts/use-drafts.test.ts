import { expect, test } from 'vitest';

import { withoutSent } from './use-drafts.ts';

test('drafts: what was typed during a save stays, and what was sent is removed', () => {
  const drafts = new Map([
    ['a', 'Sent, and more'],
    ['b', 'Sent'],
  ]);
  expect(withoutSent(drafts, 'a', 'Sent')).toBe(drafts);
  expect([...withoutSent(drafts, 'b', 'Sent').keys()]).toEqual(['a']);
});
