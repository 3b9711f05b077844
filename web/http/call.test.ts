import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { addContact, getContacts } from '#contract/contact.ts';
import { authenticatePhone } from '#contract/signin.ts';
import { getUser, updateUser } from '#contract/user.ts';

import { call } from './call.ts';

const ID = '1111111111111111';
const PROFILE = {
  _id: ID,
  name: 'Asha',
  designation: '',
  companyName: '',
  bio: '',
  phone: '',
  email: '',
  profilePhoto: '',
  socialMediaHandles: {},
};

interface Heard {
  readonly line: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

const heard: Heard[] = [];
let answer: { status: number; body: string } = { status: 200, body: '{}' };
let token: string | null = null;

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    heard.push({
      line: `${request.method} ${request.url}`,
      authorization: request.headers.authorization,
      body: Buffer.concat(parts).toString(),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(answer.body);
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const textContent = JSON.stringify({
    productName: 'Tessera',
    supportEmail: '',
    publicUrl: '',
    apiUrl: `${origin}/api`,
    serverUrl: `${origin}/server/`,
    iconBaseUrl: '',
    vitalsUrl: '',
  });
  vi.stubGlobal('document', { querySelector: () => ({ textContent }) });
  vi.stubGlobal('localStorage', { getItem: () => token });
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await new Promise((resolve) => server.close(resolve));
});

let logged = vi.spyOn(console, 'error');

beforeEach(() => {
  logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

afterEach(() => {
  logged.mockRestore();
  heard.length = 0;
  token = null;
});

test('a save sends the stored token as it is, and gives back the fresh profile', async () => {
  token = 'session-token';
  answer = { status: 200, body: JSON.stringify(PROFILE) };
  const given = { params: { id: ID }, body: { name: 'Asha' } };
  expect(await call(updateUser, given)).toEqual({ status: 200, body: PROFILE, fault: null });
  expect(heard).toEqual([
    {
      line: `POST /api/user/updateUser/${ID}`,
      authorization: 'session-token',
      body: '{"name":"Asha"}',
    },
  ]);
});

test('the provider token goes in place of a stored one', async () => {
  token = 'old';
  answer = { status: 200, body: '{"_id":"a","sessionToken":"b"}' };
  await call(authenticatePhone, {}, { authorization: 'provider-token' });
  expect(heard[0]).toEqual({
    line: 'GET /api/user/authenticate/phone',
    authorization: 'provider-token',
    body: '',
  });
});

test('contacts are left at the server base, listed at the api base with their query', async () => {
  answer = { status: 200, body: '[]' };
  const contact = { name: 'Ravi', mobile: '1' };
  await call(addContact, { body: { userID: ID, contact } });
  await call(getContacts, { params: { id: ID }, query: { limit: 10 } });
  expect(heard.map(({ line, authorization }) => [line, authorization])).toEqual([
    ['POST /server/profile/addContact', undefined],
    [`GET /api/profile/getContacts/${ID}?limit=10`, undefined],
  ]);
});

test('a refusal carries its fault and is logged', async () => {
  const fault = { error: 'session_invalid', message: 'Sign in again.' };
  answer = { status: 403, body: JSON.stringify(fault) };
  const given = { params: { id: ID }, body: {} };
  expect(await call(updateUser, given)).toEqual({ status: 403, body: null, fault });
  expect(logged).toHaveBeenCalledOnce();
});

test('an answer that is not what was promised keeps its status and has no body', async () => {
  answer = { status: 200, body: '<html>' };
  const got = await call(getUser, { params: { id: ID } });
  expect(got).toEqual({ status: 200, body: null, fault: null });
});

test('a network failure counts as 500', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const got = await call(getUser, { params: { id: ID } });
  expect(got).toEqual({ status: 500, body: null, fault: null });
});
