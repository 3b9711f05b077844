import { expect, test, vi } from 'vitest';

import { lazy } from './lazy.ts';

test('lazy: creates the value once, and again after a failure', async () => {
  const create = vi.fn<() => Promise<string>>().mockResolvedValue('value');
  create.mockRejectedValueOnce(new Error('failed'));
  const value = lazy(create);
  await expect(value()).rejects.toThrow('failed');
  expect(await Promise.all([value(), value()])).toEqual(['value', 'value']);
  expect(create).toHaveBeenCalledTimes(2);
});
