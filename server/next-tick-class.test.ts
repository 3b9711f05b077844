import { expect, test } from 'vitest';

import { preserveTickClass } from './next-tick-class.ts';

test('nextTick class: the preserved object is the one in which Node queues a tick', async () => {
  const tick = await preserveTickClass();
  expect(Object.keys(tick)).toEqual(['callback', 'args']);
  // Node 22 has one symbol more.
  expect(Object.getOwnPropertySymbols(tick).map(String)).toEqual(
    expect.arrayContaining(['Symbol(async_id_symbol)', 'Symbol(trigger_async_id_symbol)']),
  );
});
