import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { addContact, getContacts } from '#contract/contact.ts';
import { authenticatePhone } from '#contract/signin.ts';
import { getUser, updateUser } from '#contract/user.ts';
import { PAGE_SETTINGS } from '#tests/support/page-settings.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { call } from './call.ts';
import { checkConnection } from './connection.ts';

const params = { id: '1'.repeat(16) };
const PROFILE = { ...EMPTY_PROFILE, _id: params.id, name: 'Asha' };
const REFUSED = { error: 'verification_required', message: 'No.' };
const list = () => call(getContacts, { params, query: { limit: 10 } });
const save = () => call(updateUser, { params, body: { name: 'Asha' } }, { isSave: true });

const fetched = vi.fn<(url: string, options: RequestInit) => Promise<Response>>();
const logged = vi.fn();
const reply = (status: number, text: string) =>
  fetched.mockImplementation(async () => new Response(text, { status }));

beforeEach(() => {
  const urls = { apiUrl: 'https://a.example/api', serverUrl: 'https://b.example' };
  const textContent = JSON.stringify({ ...PAGE_SETTINGS, ...urls });
  vi.stubGlobal('document', { querySelector: () => ({ textContent }) });
  vi.stubGlobal('localStorage', { getItem: () => 'session-token' });
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', fetched.mockReset());
  vi.spyOn(console, 'error').mockImplementation(logged.mockReset());
  reply(200, '{}');
});
afterEach(async () => {
  // A failed call has started it.
  reply(200, '');
  await checkConnection();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('call: has the URL, the token and the content type of its endpoint', async () => {
  await save();
  await call(authenticatePhone, {}, { authorization: 'provider-token' });
  await call(getUser, { params });
  const lead = { userID: params.id, contact: { name: 'R', mobile: '1' } };
  await call(addContact, { body: lead });
  await list();
  const requests = fetched.mock.calls.map(([url, { method, headers, body }]) => {
    const text = typeof body === 'string' ? body : '';
    return `${method} ${url.replace(params.id, ':id')} ${JSON.stringify(headers)} ${text}`;
  });
  const session = '{"authorization":"session-token","content-type":"application/json"}';
  expect(requests).toEqual([
    `POST https://a.example/api/user/updateUser/:id ${session} {"name":"Asha"}`,
    'GET https://a.example/api/user/authenticate/phone {"authorization":"provider-token"} ',
    'GET https://a.example/api/user/:id {} ',
    `POST https://b.example/profile/addContact ${session} ${JSON.stringify(lead)}`,
    `GET https://a.example/api/profile/getContacts/:id?limit=10 ${session} `,
  ]);
});

test.each([
  ['a success has the body', 200, JSON.stringify(PROFILE), { body: PROFILE, error: null }],
  ['an error has the error, no body', 403, JSON.stringify(REFUSED), { body: null, error: REFUSED }],
  ['a reply that breaks the contract has no body', 200, '<html>', { body: null, error: null }],
  ['a network failure has status 500', 500, null, { body: null, error: null }],
])('call: the result of %s', async (...[, status, text, result]) => {
  if (text === null) fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  else reply(status, text);
  expect(await save()).toEqual({ status, headers: {}, ...result });
  expect(logged).toHaveBeenCalledTimes(status === 200 ? 0 : 1);
});

test('call: a failure says when to try again', async () => {
  fetched.mockResolvedValue(new Response('', { status: 429, headers: { 'retry-after': '40' } }));
  expect(await save()).toMatchObject({ status: 429, headers: { 'retry-after': '40' } });
});
