import { expect, test } from 'vitest';

import { contactTimeMs } from './contact-time.ts';

test('contact time: is read from the id', () => {
  const time = Date.UTC(2026, 0, 15, 9, 30);
  const id = `${time.toString(36).padStart(9, '0')}000abcdefghi`;
  expect(contactTimeMs(id)).toBe(time);
});

test('contact time: is null for an id of another form', () => {
  expect(['', 'short', 'UPPERCASE0', '        000'].map(contactTimeMs)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
