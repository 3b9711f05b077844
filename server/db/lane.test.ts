import { expect, test } from 'vitest';

import { Busy, Unavailable } from './database.ts';
import { createDatabaseLane } from './lane.ts';

test('database lane: a failure of the database fails the tasks that wait, a full inner lane does not', async () => {
  const lane = createDatabaseLane();
  const runAfter = async (failure: Error) => {
    const failing = lane.run(() => Promise.reject(failure), 'address');
    const waiting = lane.run(async () => 'stored', 'address');
    await expect(failing).rejects.toBe(failure);
    return waiting.catch((reason: unknown) => reason);
  };
  const down = new Unavailable(null);
  expect(await runAfter(down)).toBe(down);
  expect(await runAfter(new Busy())).toBe('stored');
});
