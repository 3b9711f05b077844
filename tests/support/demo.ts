import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';

import { expect } from 'vitest';

import { newFolder } from './folder.ts';
import { sendRequest, signInByPhone } from './owner.ts';
import { waitUntil } from './polling.ts';
import { freePort } from './port.ts';
import { withWorker } from './with-worker.ts';

const DEMO_TIMEOUT_MS = 90_000;
const LINE =
  /Demo: sign in at (\S+)\/login with (\+\d+) and the code (\d{6}); visitors see \S+\/user\/(\w+)\n/;

/** Runs the demo, signs in to it, checks its content, and checks that it deletes its folder at the end. */
export async function checkDemo(command: readonly string[]): Promise<void> {
  const folder = newFolder();
  // The database of a real service must not reach the demo.
  const DATABASE_URL = 'postgres://127.0.0.1:1/none';
  const PORT = String(await freePort());
  const env = { PATH: process.env['PATH'], TMPDIR: folder, PORT, DATABASE_URL };
  const child = spawn(...withWorker(command, 'TERM'), { env });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await waitUntil(() => output.includes(`listens on http://127.0.0.1:${PORT}`), DEMO_TIMEOUT_MS);
  const [, origin = '', phone = '', code = '', userId = ''] = LINE.exec(output) ?? [];

  const demo = { origin, codeFor: async () => code };
  const { _id, sessionToken: token } = await signInByPhone(demo, phone);
  expect(_id).toBe(userId);
  const shown = { name: 'Asha Rao', profilePhoto: expect.stringMatching(/^\/photos\//) as string };
  expect(await sendRequest(demo, `/user/${userId}`)).toMatchObject(shown);
  const call = <T>(name: string) => sendRequest<T>(demo, `/profile/${name}/${userId}`, { token });
  expect(await call('getContacts')).toHaveLength(100);
  expect((await call<{ days: unknown[] }>('getAnalytics')).days.length).toBeGreaterThan(80);

  expect(readdirSync(folder)).not.toEqual([]);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(output).not.toContain('"level":');
  expect(readdirSync(folder)).toEqual([]);
}
