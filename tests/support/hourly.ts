import { expect, onTestFinished, vi } from 'vitest';
import type { Mock } from 'vitest';

import { HOUR_MS } from '#domain/duration.ts';

/** Expects that scheduled work runs at once and every hour until its schedule is stopped, even if it fails. */
export async function expectEachHour(failingWork: Mock, schedule: () => () => void): Promise<void> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const stop = schedule();
  const callsAfter = async (ms: number) => {
    vi.advanceTimersByTime(ms);
    await new Promise(setImmediate);
    return failingWork.mock.calls.length;
  };
  expect(await callsAfter(0)).toBe(1);
  expect(await callsAfter(HOUR_MS - 1)).toBe(1);
  expect(await callsAfter(1)).toBe(2);
  expect(await callsAfter(HOUR_MS)).toBe(3);
  stop();
  expect(await callsAfter(2 * HOUR_MS)).toBe(3);
}
