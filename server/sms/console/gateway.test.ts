import { afterEach, expect, test, vi } from 'vitest';

import { openGateway } from './gateway.ts';

afterEach(() => vi.restoreAllMocks());

test('console gateway: writes a code as exactly one line to standard output', async () => {
  const written: unknown[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text, ...rest) => {
    written.push(text);
    for (const done of rest) if (typeof done === 'function') done();
    return true;
  });
  await openGateway()('+919876543210', '012345');
  expect(written).toEqual(['OTP +919876543210 012345\n']);
});

test('console gateway: rejects if standard output is closed', async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((_text, ...rest) => {
    for (const done of rest) if (typeof done === 'function') done(new Error('EPIPE'));
    return false;
  });
  await expect(openGateway()('+919876543210', '012345')).rejects.toThrow('EPIPE');
});
