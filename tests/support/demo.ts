import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'vitest';

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
  await expect
    .poll(() => output, { timeout: DEMO_TIMEOUT_MS, interval: 100 })
    .toMatch(/listens on http/);
  const [, origin = '', phone = '', code = '', userId = ''] = LINE.exec(output) ?? [];

  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${origin}/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, string>;
  };
  const { challenge } = await post('/otp/send', { appId: 'tessera', phone });
  const { token = '' } = await post('/otp/verify', { challenge, code });
  const get = async (path: string, authorization: string) => {
    const response = await fetch(`${origin}/api${path}`, { headers: { authorization } });
    return (await response.json()) as unknown;
  };
  const { _id, sessionToken = '' } = (await get('/user/authenticate/phone', token)) as Record<
    string,
    string
  >;
  expect(_id).toBe(userId);
  expect(await get(`/user/${userId}`, '')).toMatchObject({
    name: 'Asha Rao',
    profilePhoto: expect.stringMatching(/^\/photos\//),
  });
  expect(await get(`/profile/getContacts/${userId}`, sessionToken)).toHaveLength(100);
  const { days } = (await get(`/profile/getAnalytics/${userId}`, sessionToken)) as {
    days: unknown[];
  };
  expect(days.length).toBeGreaterThan(80);

  expect(readdirSync(folder)).not.toEqual([]);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
}
