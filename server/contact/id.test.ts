import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { createContactIdGenerator } from './id.ts';

const NOW = Date.UTC(2026, 0, 15, 9);

test('contact id: sorts by time, even if the clock does not advance or is set back', () => {
  const steps = fc.array(fc.constantFrom(0, 0, 0, 1, 1000, -5), { minLength: 2, maxLength: 200 });
  fc.assert(
    fc.property(steps, (moves) => {
      const nextId = createContactIdGenerator();
      let now = NOW;
      const ids = moves.map((move) => nextId((now += move)));
      expect(ids.toSorted()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test('contact id: sorts by time, even if one millisecond has more ids than its counter allows', () => {
  const nextId = createContactIdGenerator();
  let last = '';
  for (let index = 0; index < 36 ** 3 + 5; index += 1) {
    const id = nextId(NOW);
    if (id <= last) expect(id).toBe(`after ${last}`);
    last = id;
  }
});

test('contact id: differs between nodes, and a later id sorts after an earlier one', () => {
  const [nextId, otherNextId] = [createContactIdGenerator(), createContactIdGenerator()];
  const [first, second, later] = [nextId(NOW), otherNextId(NOW), nextId(NOW + 1)];
  expect([first === second, second < later]).toEqual([false, true]);
});

test('contact id: has 21 lower-case letters and digits until the year 5000', () => {
  for (const now of [0, NOW, Date.UTC(5000, 0)]) {
    expect(createContactIdGenerator()(now)).toMatch(/^[0-9a-z]{21}$/);
  }
});
