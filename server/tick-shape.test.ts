import { expect, test } from 'vitest';

import { preserveTickShape } from './tick-shape.ts';

test('tick shape: the preserved object is the one in which Node queues a tick', async () => {
  const tick = await preserveTickShape();
  expect(Object.keys(tick)).toEqual(['callback', 'args']);
  // Node 22 has one symbol more.
  expect(Object.getOwnPropertySymbols(tick).map(String)).toEqual(
    expect.arrayContaining(['Symbol(async_id_symbol)', 'Symbol(trigger_async_id_symbol)']),
  );
});
