import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { downloadAccount } from '#contract/account.ts';
import { addContact, getContacts } from '#contract/contact.ts';
import { authenticatePhone } from '#contract/signin.ts';
import { getUser, updateUser } from '#contract/user.ts';
import { PAGE_SETTINGS } from '#tests/support/page-settings.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { call, send, sendForFile } from './call.ts';
import { checkConnection } from './connection.ts';
import { storeSession } from './storage.ts';

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
  // A failed call starts a check of the connection, which would repeat itself until it succeeds.
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
  [
    'a network failure has status 500',
    500,
    null,
    { body: null, error: null, isUnanswered: true, isCut: true },
  ],
])('call: the result of %s', async (...[, status, text, result]) => {
  if (text === null) fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  else reply(status, text);
  expect(await save()).toEqual({ status, headers: {}, ...result });
  expect(logged).toHaveBeenCalledTimes(status === 200 ? 0 : 1);
});

const WORDS = "We can't reach the service. Check your network and try again.";

test.each([
  [null, '', WORDS],
  [403, '', 'A proxy rejected this request.'],
  [403, '<h1>Forbidden</h1>', 'A proxy rejected this request.'],
  [403, '{"reason":"policy"}', 'A proxy rejected this request.'],
  [407, '', 'A proxy rejected this request.'],
  [403, JSON.stringify(REFUSED), 'No.'],
  [500, '', "The service couldn't answer. Try again in a moment."],
  [502, '<h1>Bad Gateway</h1>', "The service couldn't answer. Try again in a moment."],
  [201, '', 'A proxy answered instead of the service. Try again.'],
  [200, '<h1>Accept our terms</h1>', 'A proxy answered instead of the service. Try again.'],
])('call: the sentence after status %s with %j says what happened', async (...answer) => {
  const [status, text, sentence] = answer;
  if (status === null) fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  else reply(status, text);
  await expect(send(updateUser, { params, body: { name: 'Asha' } })).rejects.toThrow(
    new RegExp(`^${sentence}$`),
  );
});

test('call: a failure says when to try again', async () => {
  fetched.mockResolvedValue(new Response('', { status: 429, headers: { 'retry-after': '40' } }));
  expect(await save()).toMatchObject({ status: 429, headers: { 'retry-after': '40' } });
});

/**
 * Returns a storage in which another tab signs in as somebody else. From the `start`th read on, that tab
 * makes `writesPerRead` writes after each read.
 */
function storageOfTwoTabs(start: number, writesPerRead = 1): Map<string, string> {
  const values = new Map([
    ['_id', 'a'],
    ['sessionToken', 'token-of-a'],
  ]);
  const writes: (() => void)[] = [];
  const setItem = (key: string, value: string) => writes.push(() => values.set(key, value));
  const removeItem = (key: string) => writes.push(() => values.delete(key));
  let reads = 0;
  const getItem = (key: string) => {
    const value = values.get(key) ?? null;
    if (reads >= start) for (const write of writes.splice(0, writesPerRead)) write();
    reads += 1;
    return value;
  };
  const clear = () => values.clear();
  vi.stubGlobal('localStorage', { getItem, setItem, removeItem, clear });
  storeSession({ _id: 'b', sessionToken: 'token-of-b' });
  return values;
}

const READS_MAX = 12;
const WRITES_MAX = 4;

test("call: a proxy's page is not taken for a file", async () => {
  for (const type of ['application/zip', 'text/html'])
    fetched.mockResolvedValueOnce(new Response('x', { headers: { 'content-type': type } }));
  expect(await (await sendForFile(downloadAccount, { params })).text()).toBe('x');
  await expect(sendForFile(downloadAccount, { params })).rejects.toThrow('A proxy answered');
});

test('call: its URL and its token are of one session, whenever another tab signs in', async () => {
  for (let moment = 0; moment < READS_MAX * WRITES_MAX; moment += 1) {
    storageOfTwoTabs(Math.floor(moment / WRITES_MAX), 1 + (moment % WRITES_MAX));
    fetched.mockClear();
    await call(updateUser, { body: { name: 'Asha' } });
    const [url = '', { headers } = {}] = fetched.mock.calls[0] ?? [];
    const token = new Headers(headers).get('authorization');
    if (token !== null) expect(token).toBe(`token-of-${url.at(-1)}`);
  }
});

test('call: the end of its session does not end the one that another tab has begun', async () => {
  const reload = vi.fn();
  vi.stubGlobal('location', { reload, pathname: '/dashboard' });
  const values = storageOfTwoTabs(READS_MAX);
  reply(403, JSON.stringify({ error: 'session_invalid', message: 'Sign in.' }));
  const waiting = call(
    updateUser,
    { body: { name: 'Asha' } },
    { session: { id: 'a', token: 'x' } },
  );
  for (let read = 0; read < 2 * READS_MAX; read += 1) localStorage.getItem('_id');
  await expect.poll(() => reload).toHaveBeenCalled();
  expect(Object.fromEntries(values)).toMatchObject({ _id: 'b', sessionToken: 'token-of-b' });
  void waiting;
});
