import { expect, test } from 'vitest';

import { keepTickShape } from './tick-shape.ts';

test('what is kept is the very object by which Node queues a tick', async () => {
  const tick = await keepTickShape();
  expect(Object.keys(tick)).toEqual(['callback', 'args']);
  // Node 22 has one more.
  expect(Object.getOwnPropertySymbols(tick).map(String)).toEqual(
    expect.arrayContaining(['Symbol(async_id_symbol)', 'Symbol(trigger_async_id_symbol)']),
  );
});
