import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'vitest';

import { sendCode, sendRequest } from './owner.ts';
import type { Owner } from './owner.ts';
import { waitUntil } from './polling.ts';
import { freePort } from './port.ts';

const DEMO_TIMEOUT_MS = 90_000;
const LINE =
  /Demo: sign in at (\S+)\/login with (\+\d+) and the code (\d{6}); visitors see \S+\/user\/(\w+)\n/;

/** Runs the demo, signs in to it, and checks what it shows and that it removes its folder at the end. */
export async function checkDemo(command: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-test-'));
  const env = { PATH: process.env['PATH'], TMPDIR: folder, PORT: String(await freePort()) };
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await waitUntil(() => output.includes('listens on http'), DEMO_TIMEOUT_MS);
  const [, origin = '', phone = '', code = '', userId = ''] = LINE.exec(output) ?? [];

  const demo = { origin };
  const challenge = await sendCode(demo, phone);
  const { token } = await sendRequest<{ token: string }>(demo, '/otp/verify', {
    body: { challenge, code },
  });
  const owner = await sendRequest<Owner>(demo, '/user/authenticate/phone', { token });
  expect(owner._id).toBe(userId);
  const shown = { name: 'Asha Rao', profilePhoto: expect.stringMatching(/^\/photos\//) as string };
  expect(await sendRequest(demo, `/user/${userId}`)).toMatchObject(shown);
  const session = { token: owner.sessionToken };
  expect(await sendRequest(demo, `/profile/getContacts/${userId}`, session)).toHaveLength(100);
  const visits = `/profile/getAnalytics/${userId}`;
  const { days } = await sendRequest<{ days: unknown[] }>(demo, visits, session);
  expect(days.length).toBeGreaterThan(80);

  expect(readdirSync(folder)).not.toEqual([]);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
}
