import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'vitest';

import { contactNames } from './load.ts';
import { print } from './print.ts';
import { waitUntil } from './polling.ts';
import { sendRequest, createOwner } from './owner.ts';
import type { Owner } from './owner.ts';
import { startServer } from './server.ts';
import type { RunningServer } from './server.ts';

/** With 8 contacts per round, an owner has fewer than 500 a day (docs/product.md#limits). */
export const ROUNDS_PER_OWNER_MAX = 50;
const CONTACTS_PER_ROUND = 8;
const KILL_DELAY_MS_MAX = 150;
const EARLY_CRASH_EVERY = 4;
const ACKNOWLEDGED_PER_ROUND = 2;

/** A service that is killed and restarts with the same data. */
export interface CrashTarget {
  readonly server: () => RunningServer;
  /** Kills the service; resolves when it serves again after its restart. */
  readonly crash: () => Promise<void>;
  /** True if replies that arrive after the start of the crash are not counted as acknowledged. */
  readonly isPowerCut?: true;
}

/** The built service with its own data folder; `crash` kills it with SIGKILL. */
export async function startCrashTarget() {
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-crash-'));
  const start = () => startServer({ DATA_DIR: dataDir, TRUST_PROXY: '127.0.0.1' });
  let server = await start();
  return {
    server: () => server,
    crash: async () => {
      await server.stop('SIGKILL');
      server = await start();
    },
    dispose: async () => {
      await server.stop('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Counts the sent and the acknowledged writes across all restarts of the target. */
const newRecord = () => ({
  isPowerOff: false,
  lastSaveSent: 0,
  lastSaveAcknowledged: 0,
  contactsSent: 0,
  contactsAcknowledged: new Set<string>(),
});
type WriteRecord = ReturnType<typeof newRecord>;

/** Saves the card repeatedly until a save fails; every field contains the save's number. */
async function saveUntilFailure(server: RunningServer, owner: Owner, record: WriteRecord) {
  for (;;) {
    record.lastSaveSent += 1;
    const number = record.lastSaveSent;
    const card = { name: `Save ${number}`, bio: `Save ${number}`, companyName: `Save ${number}` };
    const handles = { X: `https://x.example/${number}`, Web: `https://web.example/${number}` };
    const call = { body: { ...card, socialMediaHandles: handles }, token: owner.sessionToken };
    const saved = sendRequest(server, `/user/updateUser/${owner._id}`, call);
    if ((await saved.catch(() => null)) === null) return;
    if (!record.isPowerOff) record.lastSaveAcknowledged = number;
  }
}

/** Sends contacts, several at the same time, each from a different IP address. */
async function sendContacts(server: RunningServer, owner: Owner, record: WriteRecord) {
  const send = async () => {
    record.contactsSent += 1;
    const name = `Visitor ${record.contactsSent}`;
    const address = `10.0.${record.contactsSent >> 8}.${record.contactsSent & 255}`;
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const body = JSON.stringify({ userID: owner._id, contact: { name, mobile: '1' } });
    const init = { method: 'POST', headers, body };
    const response = await fetch(`${server.origin}/api/profile/addContact`, init).catch(() => null);
    if (response?.status === 200 && !record.isPowerOff) record.contactsAcknowledged.add(name);
  };
  const half = CONTACTS_PER_ROUND / 2;
  await Promise.all(Array.from({ length: half }, send));
  await Promise.all(Array.from({ length: half }, send));
}

/** One sentence for each acknowledged write that is lost, duplicated or incomplete. */
export async function findLosses(server: RunningServer, owner: Owner, record: WriteRecord) {
  const contacts = await contactNames(server.origin, owner);
  const lost = [...record.contactsAcknowledged].filter((name) => !contacts.includes(name));
  const twice = contacts.filter((name, index) => contacts.indexOf(name) !== index);
  const card = await sendRequest<Record<string, unknown>>(server, `/user/${owner._id}`);
  const number = Number(/^Save (\d+)$/.exec(String(card['name']))?.[1] ?? 0);
  const isKnown = number >= record.lastSaveAcknowledged && number <= record.lastSaveSent;
  const isWhole =
    card['bio'] === card['name'] &&
    card['companyName'] === card['name'] &&
    JSON.stringify(card['socialMediaHandles']).split(`example/${number}"`).length === 3;
  return [
    ...lost.map((name) => `${name} is lost`),
    ...twice.map((name) => `${name} is there twice`),
    ...(isKnown ? [] : [`save ${record.lastSaveAcknowledged} is lost: the card has ${number}`]),
    ...(isWhole || number === 0 ? [] : [`the card is half saved: ${JSON.stringify(card)}`]),
  ];
}

/** Creates an owner and kills the target `rounds` times while the card is written. Throws on a loss. */
export async function crashRepeatedly(target: CrashTarget, phone: string, rounds: number) {
  const record = newRecord();
  const owner = await createOwner(target.server(), phone, { designation: 'Engineer' });
  for (let round = 1; round <= rounds; round += 1) {
    const server = target.server();
    const work = [saveUntilFailure(server, owner, record), sendContacts(server, owner, record)];
    // Some crashes come before the first reply, the others after some, however slow the machine is.
    const { lastSaveAcknowledged: saves, contactsAcknowledged: contacts } = record;
    const enough = contacts.size + ACKNOWLEDGED_PER_ROUND;
    const hasEnough = () =>
      record.lastSaveAcknowledged >= saves + ACKNOWLEDGED_PER_ROUND && contacts.size >= enough;
    if (round % EARLY_CRASH_EVERY !== 1) await waitUntil(hasEnough);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * KILL_DELAY_MS_MAX));
    record.isPowerOff = target.isPowerCut ?? false;
    await target.crash();
    await Promise.all(work);
    record.isPowerOff = false;
    const found = await findLosses(target.server(), owner, record);
    if (found.length > 0) throw new Error(`round ${round}: ${found.join(', ')}`);
  }
  const [saves, contacts] = [record.lastSaveAcknowledged, record.contactsAcknowledged.size];
  print(`${rounds} crashes: ${saves} saves and ${contacts} contacts acknowledged, none lost`);
  // Control: fewer would prove nothing, and some were not acknowledged.
  expect(Math.min(saves, contacts)).toBeGreaterThan(rounds);
  expect(saves).toBeLessThan(record.lastSaveSent);
  return { owner, record };
}

/**
 * Splits rounds into groups that one owner's daily limit of contacts allows. Two run at a time, so
 * that one works while the other waits for a restart.
 */
export async function runInGroups(
  rounds: number,
  run: (rounds: number) => Promise<unknown>,
): Promise<void> {
  const count = Math.max(2, Math.ceil(rounds / ROUNDS_PER_OWNER_MAX));
  const waiting = Array<number>(count).fill(Math.ceil(rounds / count));
  const worker = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await run(next);
  };
  await Promise.all([worker(), worker()]);
}
