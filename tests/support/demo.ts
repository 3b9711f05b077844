import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';

import { expect } from 'vitest';

import { DEMO_CODE, DEMO_PHONES } from '#server/command/demo/command.ts';

import { visitIssuer } from './company-login.ts';
import { cookieHeader, keepCookies } from './cookies.ts';
import type { Cookies } from './cookies.ts';
import { newFolder } from './folder.ts';
import { sendRequest, signInByPhone } from './owner.ts';
import type { Owner } from './owner.ts';
import { waitUntil } from './polling.ts';
import { freePort } from './port.ts';
import { withWorker } from './with-worker.ts';

const DEMO_TIMEOUT_MS = 90_000;
const LINE = /Demo: sign in at (\S+)\/login (.+); visitors see \S+\/user\/(\w+)\n/;
const [PHONE = ''] = DEMO_PHONES;

/** Each way to sign in has the words that the demo prints, and a function that signs in. */
const WAYS = {
  code: {
    says: `with ${PHONE} and the code ${DEMO_CODE}`,
    signIn: (origin: string) => signInByPhone({ origin, codeFor: async () => DEMO_CODE }, PHONE),
  },
  email: {
    says: `with ${PHONE}; the code goes to asha@example.com, and the mail appears here`,
    signIn: (origin: string, output: () => string) => {
      const codeOf = () => /^Subject: (\d{6}) is your code for /m.exec(output())?.[1];
      const codeFor = async () => {
        await waitUntil(() => codeOf() !== undefined, DEMO_TIMEOUT_MS);
        expect(output()).toMatch(/^To: asha@example\.com/m);
        return codeOf() ?? '';
      };
      return signInByPhone({ origin, codeFor }, PHONE);
    },
  },
  oidc: { says: 'and choose who you are', signIn: signInAtCompany },
};

/** Signs in at the company's login, as a browser does. */
async function signInAtCompany(origin: string): Promise<Owner> {
  const cookies: Cookies = new Map();
  const get = async (url: string | URL, authorization = '') => {
    const headers = { cookie: cookieHeader(cookies), authorization };
    const response = await fetch(url, { headers, redirect: 'manual' });
    keepCookies(cookies, response.headers.getSetCookie());
    return response;
  };
  const leaving = await get(`${origin}/login/oidc`);
  const callback = await visitIssuer(new URL(leaving.headers.get('location') ?? ''), PHONE);
  const back = (await get(callback)).headers.get('location') ?? '';
  const token = back.replace(/^.*#token=/, '');
  return (await get(`${origin}/api/user/authenticate/phone`, token)).json() as Promise<Owner>;
}

/** Runs the demo, signs in to it, checks its content, and checks that it deletes its folder at the end. */
export async function checkDemo(
  command: readonly string[],
  way: keyof typeof WAYS = 'code',
): Promise<void> {
  const folder = newFolder();
  // The database of a real service must not reach the demo.
  const DATABASE_URL = 'postgres://127.0.0.1:1/none';
  const PORT = String(await freePort());
  const env = { PATH: process.env['PATH'], TMPDIR: folder, PORT, DATABASE_URL };
  const child = spawn(...withWorker([...command, ...(way === 'code' ? [] : [way])], 'TERM'), {
    env,
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await waitUntil(() => output.includes(`listens on http://127.0.0.1:${PORT}`), DEMO_TIMEOUT_MS);
  const [, origin = '', says = '', userId = ''] = LINE.exec(output) ?? [];
  expect(says).toBe(WAYS[way].says);

  const { _id, sessionToken: token } = await WAYS[way].signIn(origin, () => output);
  expect(_id).toBe(userId);
  const shown = { name: 'Asha Rao', profilePhoto: expect.stringMatching(/^\/photos\//) as string };
  const demo = { origin };
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
