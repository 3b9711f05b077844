import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Profile } from '#domain/profile.ts';
import { PAGE_SETTINGS } from '#tests/support/page-settings.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';
import { checkConnection } from '#web/shared/http/connection.ts';

import { clearProfile, loadProfile, replacePhoto, saveProfile } from './profile-store.ts';

let stored: Profile;
let version: number;
/** Changes on the server before the next calls are answered. */
let beforeReplies: (() => void)[];
let log: string[];

/** A server with one profile and its version. GET is answered in brotli; a proxy makes the other tags weak. */
async function fakeServer(_url: string, { method, headers, body }: RequestInit) {
  beforeReplies.shift()?.();
  const tag = new Headers(headers).get('if-match');
  // HEAD is a check of the connection.
  if (method !== 'HEAD') log.push(`${method} ${tag}`);
  if (method === 'POST') {
    if (tag !== `"${version}"`) return new Response('{}', { status: 412 });
    stored = JSON.parse(body as string) as Profile;
    version += 1;
  }
  const etag = method === 'GET' ? `"${version}-br"` : `W/"${version}"`;
  return new Response(JSON.stringify(stored), { headers: { etag } });
}

const saveElsewhere = (change: Partial<Profile>) => {
  stored = { ...stored, ...change };
  version += 1;
};

beforeEach(() => {
  stored = { ...EMPTY_PROFILE, name: 'Asha', bio: 'Architect' };
  version = 1;
  beforeReplies = [];
  log = [];
  const textContent = JSON.stringify(PAGE_SETTINGS);
  vi.stubGlobal('document', { querySelector: () => ({ textContent }) });
  vi.stubGlobal('localStorage', { getItem: () => stored._id });
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', fakeServer);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  clearProfile();
});

afterEach(async () => {
  // A failed call has started it.
  await checkConnection();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const failToFetch = () => {
  throw new TypeError('Failed to fetch');
};
const rename = (newest: Profile) => ({ ...newest, name: 'Asha Rao' });

/** Replaces the photo on the server, and then in this tab as after an upload. */
function uploadPhoto(): void {
  const previous = version;
  saveElsewhere({ profilePhoto: '/p' });
  replacePhoto('/p', { ETag: `W/"${version}"`, 'X-Previous-ETag': `"${previous}"` });
}

const ENGINEER = { bio: 'Engineer' };
const nothing = () => undefined;
/** Saves elsewhere, and has replies before which something else happens. */
const saveBio = (...next: (() => void)[]) => {
  saveElsewhere(ENGINEER);
  beforeReplies = next;
};
const saveTwice = () => saveBio(nothing, nothing, () => saveElsewhere({ bio: 'Painter' }));
const saveAndDisconnect = () => saveBio(nothing, failToFetch);
const again = (status: number, tag: number) => `${status} POST "1" GET null POST "${tag}"`;
const BOTH = { ...ENGINEER, profilePhoto: '/p' };

test.each<[string, () => void, string, Partial<Profile>]>([
  ['the version is sent', nothing, '200 POST "1"', {}],
  ['an upload before it has the version', uploadPhoto, '200 POST "2"', { profilePhoto: '/p' }],
  ['an upload hides no save before it', () => (saveBio(), uploadPhoto()), again(200, 3), BOTH],
  ['what was saved elsewhere stays', () => saveBio(), again(200, 2), ENGINEER],
  ['tries once more, not again', saveTwice, again(412, 2), { bio: 'Painter', name: 'Asha' }],
  ['not without the newest', saveAndDisconnect, '500 POST "1"', { ...ENGINEER, name: 'Asha' }],
])('save profile: %s', async (...[, meanwhile, requests, expected]) => {
  await loadProfile();
  log = [];
  meanwhile();
  expect([await saveProfile(rename), ...log].join(' ')).toBe(requests);
  expect(stored).toEqual({ ...EMPTY_PROFILE, name: 'Asha Rao', bio: 'Architect', ...expected });
  if (!requests.startsWith('200')) return;
  // The page and the next save have what is stored.
  expect(await loadProfile()).toMatchObject({ profile: stored, etag: `"${version}"` });
  expect(await saveProfile(rename)).toBe(200);
});

/** A browser with a service worker that has seen the profile before. */
function stubLastSeen(lastSeen: Profile): void {
  vi.stubGlobal('navigator', { onLine: true, serviceWorker: { controller: {} } });
  const match = async () => new Response(JSON.stringify(lastSeen), { headers: { etag: '"1"' } });
  vi.stubGlobal('caches', { match });
}

test('load profile: without the service shows the own profile as last seen, later the newest, not after a call that fails alone', async () => {
  stubLastSeen(stored);
  beforeReplies = [failToFetch];
  expect(await loadProfile()).toEqual({ kind: 'failed', reason: 'userFetchFailed' });
  vi.useFakeTimers();
  for (const [change, result] of [
    [{ _id: 'another' }, { kind: 'failed' }],
    [{ name: 'Last seen' }, { profile: { name: 'Last seen' }, isLastSeen: true }],
  ]) {
    clearProfile();
    stubLastSeen({ ...stored, ...change });
    beforeReplies = [failToFetch, failToFetch];
    expect(await loadProfile()).toMatchObject({ ...result });
    await checkConnection();
  }
  expect(await loadProfile()).toEqual({ kind: 'ready', profile: stored, etag: '"1"' });
});

test('load profile: the owner can save the profile as last seen while the reply is late, and the reply does not undo the save', async () => {
  stubLastSeen(stored);
  vi.useFakeTimers();
  const answers: (() => void)[] = [];
  const old = new Response(JSON.stringify(stored), { headers: { etag: '"1"' } });
  vi.stubGlobal('fetch', async (url: string, options: RequestInit) => {
    if (options.method !== 'GET') return fakeServer(url, options);
    await new Promise<void>((resolve) => answers.push(resolve));
    return old;
  });
  const loading = loadProfile();
  await vi.advanceTimersByTimeAsync(2_900);
  await expect(saveProfile(rename)).rejects.toThrow('No profile is loaded');
  await vi.advanceTimersByTimeAsync(200);
  expect(await saveProfile(rename)).toBe(200);
  answers[0]?.();
  expect(await loading).toMatchObject({ profile: { name: 'Asha Rao' }, etag: '"2"' });
});

test.each([400, 410, 429])('load profile: %i removes the copies, but 429', async (status) => {
  const removed: string[] = [];
  const serviceWorker = { controller: {}, getRegistrations: async () => [] };
  vi.stubGlobal('navigator', { onLine: true, serviceWorker });
  vi.stubGlobal('caches', { delete: async (name: string) => removed.push(name) });
  vi.stubGlobal('fetch', async () => new Response('{}', { status }));
  expect(await loadProfile()).toMatchObject({ kind: 'failed' });
  expect(removed).toEqual(status === 429 ? [] : ['owner', 'pages']);
});

test('profile: is shown also where the database of the browser never answers', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('indexedDB', { open: () => new EventTarget() });
  const loading = loadProfile();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await loading).toMatchObject({ kind: 'ready', profile: { name: 'Asha' } });
});
