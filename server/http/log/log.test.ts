import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeError, openLogOutput } from './log.ts';
import { newFolder } from '#tests/support/folder.ts';

test('log output: collected lines are written by each kind of flush, and without one', async () => {
  const file = join(newFolder(), 'log');
  const output = openLogOutput(openSync(file, 'w'));
  const read = () => readFileSync(file, 'utf8');
  output.write('request\n');
  expect(read()).toBe('');
  output.write('fatal\n');
  output.flushSync();
  expect(read()).toBe('request\nfatal\n');
  output.write('second\n');
  await new Promise<void>((resolve) => output.flush(() => resolve()));
  expect(read()).toBe('request\nfatal\nsecond\n');
  output.write('last\n');
  await expect.poll(read, { timeout: 30_000 }).toBe('request\nfatal\nsecond\nlast\n');
});

test('log: an error has its message and its cause, and another thrown value its text, without phones and tokens', () => {
  const token = 'q'.repeat(43);
  const cause = Object.assign(new Error('Key (login_phone)=(+919876543210) exists.'), {
    code: '23505',
    detail: 'Failing row contains (+919876543210, Asha).',
    headers: { authorization: token },
  });
  const message = `Bearer ${token} and eyJhbGciOiJSUzI1NiIsImtpZCI6IjEi.e30.c2ln`;
  const line = describeError(new Error(message, { cause }));
  expect(line).toMatchObject({
    type: 'Error',
    message: 'Bearer [hidden] and [hidden]',
    cause: { type: 'Error', code: '23505', message: 'Key (login_phone)=([hidden]) exists.' },
  });
  const text = JSON.stringify(line);
  for (const secret of ['9876543210', token, 'Asha', 'eyJ']) expect(text).not.toContain(secret);
  const thrown = { type: 'string', message: 'call [hidden]' };
  expect(describeError('call +919876543210')).toEqual(thrown);
});
