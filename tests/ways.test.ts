import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  FULL_CARD,
  createOwner,
  sendRequest,
  signInByPhone,
  uploadPhoto,
} from './support/owner.ts';
import type { Owner } from './support/owner.ts';
import { waitUntil } from './support/polling.ts';
import { print } from './support/print.ts';
import { ENTRY, startServer } from './support/server.ts';
import type { RunningServer } from './support/server.ts';

/** A file counts if it ran in each of these requests, so that a timer in one of them does not. */
const MEASURED = 3;

let server: RunningServer;
let owner: Owner;
let url = '';

beforeAll(async () => {
  const recorder = join(import.meta.dirname, 'support', 'executed-files.mjs');
  // As in production, where each request is logged.
  const environment = { LOG_LEVEL: 'info' };
  server = await startServer(environment, [process.execPath, '--import', recorder, ENTRY]);
  url = /^Executed files: (\S+)$/m.exec(server.output())?.[1] ?? '';
  owner = await createOwner(server, '9876543210', FULL_CARD);
  // A busy machine may not decode it in time, which is 503.
  await waitUntil(() => uploadPhoto(server, owner).catch(() => false as const));
});
afterAll(() => server.dispose());

/** Writes the collected lines of the log on a timer, whichever request is running. */
const BACKGROUND = 'server/http/log/log.ts';

async function takeExecuted(): Promise<string[]> {
  const files = (await (await fetch(url)).json()) as string[];
  return files.filter((file) => file !== BACKGROUND);
}

/** Waits until nothing runs: a changed card is rendered a second later. */
async function settle() {
  await delay(1500);
  await waitUntil(async () => (await takeExecuted()).length === 0);
}

interface Way {
  readonly request: (round: number) => Promise<unknown>;
  /** Runs before each request and is not measured. */
  readonly prepare?: (round: number) => Promise<unknown>;
}

/** Returns the files of which a function runs, from the second request on. */
async function executedFiles({ request, prepare }: Way): Promise<string[]> {
  let files: string[] = [];
  for (let round = 0; round <= MEASURED; round += 1) {
    await prepare?.(round);
    await settle();
    await takeExecuted();
    await request(round);
    const executed = await takeExecuted();
    files = round < 2 ? executed : files.filter((file) => executed.includes(file));
  }
  return files;
}

const getCard = async () => {
  const response = await fetch(`${server.origin}/user/${owner._id}`);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Asha')]);
};
const save = (round: number) =>
  sendRequest(server, `/user/updateUser/${owner._id}`, {
    token: owner.sessionToken,
    body: { ...FULL_CARD, designation: `Architect ${round}` },
  });
const addContact = (round: number) => {
  const lead = { name: 'Ravi', mobile: `987654322${round}`, email: '', companyName: '' };
  return sendRequest(server, '/profile/addContact', {
    body: { userID: owner._id, contact: lead },
  });
};

interface BoundedWay extends Way {
  readonly name: string;
  readonly filesMax: number;
}

/**
 * The most files of server/ that each way may pass beyond those of every request. A card from memory is
 * answered before the router and passes fewer than those, so all of its files count.
 */
const FILES_OF_EVERY_REQUEST_MAX = 6;
const WAYS: readonly BoundedWay[] = [
  { name: 'a card that is rendered', filesMax: 15, request: getCard, prepare: save },
  { name: 'a save', filesMax: 10, request: save },
  { name: 'a contact from a visitor', filesMax: 12, request: addContact },
  { name: 'an upload of a photo', filesMax: 15, request: () => uploadPhoto(server, owner) },
  {
    name: 'a sign-in with its three calls',
    filesMax: 17,
    request: (round) => signInByPhone(server, `987654323${round}`),
  },
];

const isOfServer = (file: string) => file.startsWith('server/');

/** Fails with the lists of what counts and of what does not. `SHOW_WAYS=1` prints them in any case. */
function expectAtMost(max: number, files: readonly string[], counted = files.filter(isOfServer)) {
  const others = files.filter((file) => !counted.includes(file));
  const list = `${counted.length} files:\n${counted.join('\n')}\nNot counted:\n${others.join('\n')}\n`;
  if (process.env['SHOW_WAYS']) print(list);
  expect(counted.length, list).toBeLessThanOrEqual(max);
}

test('ways: a card from memory passes at most 8 files of the server', async () => {
  expectAtMost(8, await executedFiles({ request: getCard }));
});

describe('ways beyond every request', () => {
  let common: string[] = [];
  beforeAll(async () => {
    const files = await executedFiles({ request: () => fetch(`${server.origin}/healthz`) });
    common = files.filter((file) => !file.startsWith('server/feature/'));
  });

  test(`ways: every request passes at most ${FILES_OF_EVERY_REQUEST_MAX} files`, () => {
    expectAtMost(FILES_OF_EVERY_REQUEST_MAX, common);
  });

  test.each(WAYS)('ways: $name passes at most $filesMax more', async ({ filesMax, ...way }) => {
    const files = await executedFiles(way);
    const own = files.filter((file) => isOfServer(file) && !common.includes(file));
    expectAtMost(filesMax, files, own);
  });
});
