import { execFileSync } from 'node:child_process';
import { createReadStream, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { expect, test } from 'vitest';

import { describeError, flushLog, openLog, openLogOutput } from './log.ts';
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

test('log: a line has at most 1,000 bytes and is JSON, whatever an error has', async () => {
  const file = join(newFolder(), 'log');
  const { log } = openLog('info', 'node', openLogOutput(openSync(file, 'w')));
  const cause = new Error('é"\n'.repeat(5000));
  cause.cause = cause;
  log.error({ err: new Error('outer', { cause }), damage: '\0'.repeat(5000) }, 'x'.repeat(5000));
  await flushLog(log);
  const line = readFileSync(file, 'utf8');
  expect(Buffer.byteLength(line)).toBeLessThanOrEqual(1000);
  expect(JSON.parse(line)).toMatchObject({
    level: 'error',
    err: { type: 'Error', message: 'outer' },
  });
});

/** The buffer and the pipe together have room for fewer lines. */
const FLOOD = 10_000;

interface Line {
  readonly event?: string;
  readonly route?: string;
  readonly userId?: string;
  readonly count?: number;
}

test('log: while nobody reads it, events wait for room, counted, and only other lines are lost', async () => {
  const file = join(newFolder(), 'pipe');
  execFileSync('mkfifo', [file]);
  const { log, writeRequestLine } = openLog('info', 'n', openLogOutput(openSync(file, 'r+')));
  const line = `{"path":"${'x'.repeat(980)}"}\n`;
  const flood = () => Array.from({ length: FLOOD }, () => writeRequestLine?.(line));
  flood();
  for (let round = 0; round < 50; round += 1) {
    const rejected = { event: 'session_rejected', address: String(round) };
    log.warn({ ...rejected, route: '/a', count: 2 }, 'event');
    log.warn({ ...rejected, route: '/b', count: 1 }, 'event');
    log.warn({ event: 'user_removed', userId: String(round % 2) }, 'event');
    log.info({ path: '"event":"' }, 'no event');
  }
  flood();
  const counts: Record<string, number> = {};
  let [counted, others] = [0, 0];
  for await (const text of createInterface(createReadStream(file))) {
    const { event, route, userId, count = 1 } = JSON.parse(text) as Line;
    const name = `${event} ${route ?? userId}`;
    if (event === undefined) {
      others += 1;
      continue;
    }
    counts[name] = count + (counts[name] ?? 0);
    counted += count;
    if (counted === 200) break;
  }
  expect(counts).toEqual({
    'session_rejected /a': 100,
    'session_rejected /b': 50,
    'user_removed 0': 25,
    'user_removed 1': 25,
  });
  expect(others).toBeLessThan(FLOOD);
});
