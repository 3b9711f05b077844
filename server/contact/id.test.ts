import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { contactIdMaker } from './id.ts';

const NOW = Date.UTC(2026, 0, 15, 9);

test('ids sort by time, also while the clock stands still or is set back', () => {
  const steps = fc.array(fc.constantFrom(0, 0, 0, 1, 1000, -5), { minLength: 2, maxLength: 200 });
  fc.assert(
    fc.property(steps, (moves) => {
      const nextId = contactIdMaker();
      let now = NOW;
      const ids = moves.map((move) => nextId((now += move)));
      expect(ids.toSorted()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test('more ids than a millisecond has room for still sort', () => {
  const nextId = contactIdMaker();
  let last = '';
  let isSorted = true;
  for (let at = 0; at < 36 ** 3 + 5; at += 1) {
    const id = nextId(NOW);
    isSorted &&= id > last;
    last = id;
  }
  expect(isSorted).toBe(true);
});

test('two nodes never make the same id, and a later one sorts after an earlier one', () => {
  const [here, there] = [contactIdMaker(), contactIdMaker()];
  const [first, second, later] = [here(NOW), there(NOW), here(NOW + 1)];
  expect(first).not.toBe(second);
  expect([second, later].toSorted()).toEqual([second, later]);
});

test('an id is 21 lower-case letters and digits for centuries to come', () => {
  for (const now of [0, NOW, Date.UTC(5000, 0)]) {
    expect(contactIdMaker()(now)).toMatch(/^[0-9a-z]{21}$/);
  }
});
