import { afterEach, expect, test, vi } from 'vitest';

import { consoleGateway } from './console.ts';

afterEach(() => vi.restoreAllMocks());

test('a code is exactly one line on standard output', async () => {
  const written: unknown[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text, ...rest) => {
    written.push(text);
    for (const done of rest) if (typeof done === 'function') done();
    return true;
  });
  await consoleGateway('+919876543210', '012345');
  expect(written).toEqual(['OTP +919876543210 012345\n']);
});

test('a terminal that is gone is a failure, so that the person is told', async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((_text, ...rest) => {
    for (const done of rest) if (typeof done === 'function') done(new Error('EPIPE'));
    return false;
  });
  await expect(consoleGateway('+919876543210', '012345')).rejects.toThrow('EPIPE');
});
