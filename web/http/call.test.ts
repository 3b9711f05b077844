import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { addContact, getContacts } from '#contract/contact.ts';
import { authenticatePhone } from '#contract/signin.ts';
import { getUser, updateUser } from '#contract/user.ts';
import { PAGE_SETTINGS } from '#tests/support/page-settings.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { call } from './call.ts';
import { onSessionEnd } from './session-end.ts';

const ID = '1111111111111111';
const PROFILE = { ...EMPTY_PROFILE, _id: ID, name: 'Asha' };

const received: Record<'line' | 'authorization' | 'contentType' | 'body', string | undefined>[] =
  [];
let reply: { status: number; body: string } = { status: 200, body: '{}' };
let token: string | null = null;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({
      line: `${request.method} ${request.url}`,
      authorization: request.headers.authorization,
      contentType: request.headers['content-type'],
      body: Buffer.concat(chunks).toString(),
    });
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(reply.body);
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const urls = { apiUrl: `${origin}/api`, serverUrl: `${origin}/server` };
  const textContent = JSON.stringify({ ...PAGE_SETTINGS, ...urls });
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
  received.length = 0;
  token = null;
});

test('call: sends the stored token unchanged and returns the reply', async () => {
  token = 'session-token';
  reply = { status: 200, body: JSON.stringify(PROFILE) };
  const input = { params: { id: ID }, body: { name: 'Asha' } };
  expect(await call(updateUser, input)).toEqual({
    status: 200,
    body: PROFILE,
    error: null,
    headers: {},
  });
  expect(received).toEqual([
    {
      line: `POST /api/user/updateUser/${ID}`,
      authorization: 'session-token',
      contentType: 'application/json',
      body: '{"name":"Asha"}',
    },
  ]);
});

test('call: the provider token replaces the stored one', async () => {
  token = 'old';
  reply = { status: 200, body: '{"_id":"a","sessionToken":"b"}' };
  await call(authenticatePhone, {}, { authorization: 'provider-token' });
  expect(received[0]).toEqual({
    line: 'GET /api/user/authenticate/phone',
    authorization: 'provider-token',
    contentType: undefined,
    body: '',
  });
});

test('call: getUser sends no token, getContacts the token and a JSON content type', async () => {
  token = 'session-token';
  await call(getUser, { params: { id: ID } });
  await call(getContacts, { params: { id: ID } });
  expect(received.map(({ authorization, contentType }) => [authorization, contentType])).toEqual([
    [undefined, undefined],
    ['session-token', 'application/json'],
  ]);
});

test('call: addContact uses the server URL, getContacts the API URL with its query', async () => {
  reply = { status: 200, body: '[]' };
  const contact = { name: 'Ravi', mobile: '1' };
  await call(addContact, { body: { userID: ID, contact } });
  await call(getContacts, { params: { id: ID }, query: { limit: 10 } });
  expect(received.map(({ line, authorization }) => [line, authorization])).toEqual([
    ['POST /server/profile/addContact', undefined],
    [`GET /api/profile/getContacts/${ID}?limit=10`, undefined],
  ]);
});

test('call: an error reply has the error, no body, and is logged', async () => {
  const error = { error: 'session_invalid', message: 'Sign in again.' };
  reply = { status: 403, body: JSON.stringify(error) };
  const input = { params: { id: ID }, body: {} };
  const result = await call(updateUser, input, { isSave: true });
  expect(result).toEqual({ status: 403, body: null, error, headers: {} });
  expect(logged).toHaveBeenCalledOnce();
});

test('call: leaves the page at the end of the session, except after a save or another code', async () => {
  const onEnd = vi.fn<() => void>();
  onSessionEnd(onEnd);
  const listContacts = () => call(getContacts, { params: { id: ID } });
  reply = { status: 403, body: JSON.stringify({ error: 'verification_required', message: 'No.' }) };
  await listContacts();
  reply = { status: 403, body: JSON.stringify({ error: 'session_invalid', message: 'No.' }) };
  await call(updateUser, { params: { id: ID }, body: { name: 'Asha' } }, { isSave: true });
  expect(onEnd).not.toHaveBeenCalled();
  const settled = vi.fn<() => void>();
  void listContacts().finally(settled);
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce());
  expect(settled).not.toHaveBeenCalled();
  // After an upgrade the chunk that leaves can be gone.
  onSessionEnd(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(await listContacts()).toMatchObject({ status: 500, body: null });
});

test('call: a reply that breaks the contract keeps its status and has no body', async () => {
  reply = { status: 200, body: '<html>' };
  const result = await call(getUser, { params: { id: ID } });
  expect(result).toEqual({ status: 200, body: null, error: null, headers: {} });
});

test('call: a network failure is status 500', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const result = await call(getUser, { params: { id: ID } });
  expect(result).toEqual({ status: 500, body: null, error: null, headers: {} });
});
