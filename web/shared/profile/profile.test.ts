import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Profile } from '#domain/profile.ts';
import { PAGE_SETTINGS } from '#tests/support/page-settings.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';
import { checkConnection } from '#web/shared/http/connection.ts';
import { UnreachableError, queryClient } from '#web/shared/http/query.ts';

import { profileQuery, replacePhoto, saveProfile } from './profile.ts';

let stored: Profile;
let version: number;
/** Changes on the server before the next calls are answered. */
let beforeReplies: (() => void)[];
let log: string[];

/**
 * Answers like a server that stores one profile and its version. It compresses the reply to GET with brotli,
 * and a proxy in front of it makes the other ETags weak.
 */
async function fakeServer(_url: string, { method, headers, body }: RequestInit) {
  beforeReplies.shift()?.();
  const tag = new Headers(headers).get('if-match');
  // A HEAD request is a check of the connection.
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
});

afterEach(async () => {
  // A failed call starts a check of the connection, which would repeat itself until it succeeds.
  await checkConnection();
  queryClient.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const failToFetch = () => {
  throw new TypeError('Failed to fetch');
};

/** Replaces the photo on the server, and then in this tab as after an upload. */
function uploadPhoto(): void {
  const previous = version;
  saveElsewhere({ profilePhoto: '/p' });
  replacePhoto('/p', { ETag: `W/"${version}"`, 'X-Previous-ETag': `"${previous}"` });
}

const ENGINEER = { bio: 'Engineer' };
const nothing = () => undefined;
/** Saves elsewhere. Each of `next` then happens before one of the next replies. */
const saveBio = (...next: (() => void)[]) => {
  saveElsewhere(ENGINEER);
  beforeReplies = next;
};
const saveTwice = () => saveBio(nothing, nothing, () => saveElsewhere({ bio: 'Painter' }));
const saveAndDisconnect = () => saveBio(nothing, failToFetch, nothing, failToFetch);
const again = (status: number, tag: number) => `${status} POST "1" GET null POST "${tag}"`;
const BOTH = { ...ENGINEER, profilePhoto: '/p' };
const saveName = () =>
  saveProfile((newest) => ({ ...newest, name: 'Asha Rao' })).then(
    () => 200,
    (error: { status: number }) => error.status,
  );
const load = (staleTime = Infinity) => queryClient.query({ ...profileQuery(), staleTime });

test.each<[string, () => void, string, Partial<Profile>]>([
  ['the version is sent', nothing, '200 POST "1"', {}],
  ['an upload before it has the version', uploadPhoto, '200 POST "2"', { profilePhoto: '/p' }],
  ['an upload hides no save before it', () => (saveBio(), uploadPhoto()), again(200, 3), BOTH],
  ['what was saved elsewhere stays', () => saveBio(), again(200, 2), ENGINEER],
  ['tries once more, not again', saveTwice, again(412, 2), { bio: 'Painter', name: 'Asha' }],
  ['not without the newest', saveAndDisconnect, '500 POST "1"', { ...ENGINEER, name: 'Asha' }],
])('save profile: %s', async (...[, meanwhile, requests, expected]) => {
  await load();
  log = [];
  meanwhile();
  expect([await saveName(), ...log].join(' ')).toBe(requests);
  expect(stored).toEqual({ ...EMPTY_PROFILE, name: 'Asha Rao', bio: 'Architect', ...expected });
  if (!requests.startsWith('200')) return;
  // The page shows what is stored, and the next save is based on it.
  expect((await load()).body).toEqual(stored);
  expect(await saveName()).toBe(200);
});

test('profile: is as last seen while the service cannot be reached', async () => {
  const { body } = await load();
  beforeReplies = [failToFetch, failToFetch];
  await expect(load(0)).rejects.toBeInstanceOf(UnreachableError);
  const state = queryClient.getQueryState(profileQuery().queryKey);
  expect([state?.data?.body, state?.status]).toEqual([body, 'error']);
});
