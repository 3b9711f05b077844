import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import type { Contact } from '#contract/contact.ts';

import { ask, makeOwner } from './support/owner.ts';
import type { Owner } from './support/owner.ts';
import { startServer } from './support/server.ts';
import type { RunningServer } from './support/server.ts';

const ROOT = join(import.meta.dirname, '..');
const ROUNDS = 50;
/** Below a card's 500 contacts a day over all rounds. */
const CONTACTS_PER_ROUND = 8;
const LIFE_MS_MAX = 150;
/** Of each kind at least so many must have been acknowledged for the test to mean something. */
const KEPT_MIN = 20;
// Fifty starts of a server: half a minute or so on a machine of its own, minutes on a busy one.
const TEST_TIMEOUT_MS = 600_000;

let dataDir: string;
beforeAll(() => {
  if (!existsSync(join(ROOT, 'dist', 'server', 'main.js'))) {
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'ignore' });
  }
  dataDir = mkdtempSync(join(tmpdir(), 'tessera-crash-'));
}, TEST_TIMEOUT_MS);
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const started: RunningServer[] = [];
afterEach(() => Promise.all(started.splice(0).map((server) => server.stop('SIGKILL'))));

async function start(): Promise<RunningServer> {
  const server = await startServer({ DATA_DIR: dataDir, TRUST_PROXY: '127.0.0.1' });
  started.push(server);
  return server;
}

/** What was sent and what was acknowledged, over all lives of the server. */
class Ledger {
  saveSent = 0;
  saveKept = 0;
  contactSent = 0;
  readonly contactsKept = new Set<string>();
}

/** Saves the card again and again until the server dies: every field tells the save's number. */
async function keepSaving(server: RunningServer, owner: Owner, ledger: Ledger): Promise<void> {
  for (;;) {
    ledger.saveSent += 1;
    const mine = ledger.saveSent;
    const card = { name: `Save ${mine}`, bio: `Save ${mine}`, companyName: `Save ${mine}` };
    const handles = { X: `https://x.example/${mine}`, Web: `https://web.example/${mine}` };
    const isKept = await ask(server, `/user/updateUser/${owner._id}`, {
      body: { ...card, socialMediaHandles: handles },
      token: owner.sessionToken,
    }).then(
      () => true,
      () => false,
    );
    if (!isKept) return;
    ledger.saveKept = mine;
  }
}

/** Leaves contacts, several at once, each from an address of its own. */
async function leaveContacts(server: RunningServer, owner: Owner, ledger: Ledger): Promise<void> {
  const leave = async () => {
    ledger.contactSent += 1;
    const name = `Visitor ${ledger.contactSent}`;
    const answer = await fetch(`${server.origin}/api/profile/addContact`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `10.0.${ledger.contactSent >> 8}.${ledger.contactSent & 255}`,
      },
      body: JSON.stringify({ userID: owner._id, contact: { name, mobile: '1' } }),
    }).catch(() => null);
    if (answer?.status === 200) ledger.contactsKept.add(name);
  };
  const half = CONTACTS_PER_ROUND / 2;
  await Promise.all(Array.from({ length: half }, leave));
  await Promise.all(Array.from({ length: half }, leave));
}

async function listContacts(server: RunningServer, owner: Owner): Promise<string[]> {
  const found: Contact[] = [];
  for (;;) {
    const before = found.at(-1)?._id;
    const page = await ask<Contact[]>(
      server,
      `/profile/getContacts/${owner._id}${before ? `?before=${before}` : ''}`,
      { token: owner.sessionToken },
    );
    found.push(...page);
    if (page.length === 0) return found.map(({ name }) => name);
  }
}

/** What was acknowledged and is not there, is there twice, or is half there. */
async function losses(server: RunningServer, owner: Owner, ledger: Ledger): Promise<string[]> {
  const contacts = await listContacts(server, owner);
  const lost = [...ledger.contactsKept].filter((name) => !contacts.includes(name));
  const twice = contacts.filter((name, at) => contacts.indexOf(name) !== at);
  const card = await ask<Record<string, unknown>>(server, `/user/${owner._id}`);
  const number = Number(/^Save (\d+)$/.exec(String(card['name']))?.[1] ?? 0);
  const isKnown = number >= ledger.saveKept && number <= ledger.saveSent;
  const isWhole =
    card['bio'] === card['name'] &&
    card['companyName'] === card['name'] &&
    JSON.stringify(card['socialMediaHandles']).split(`example/${number}"`).length === 3;
  return [
    ...lost.map((name) => `${name} is lost`),
    ...twice.map((name) => `${name} is there twice`),
    ...(isKnown ? [] : [`save ${ledger.saveKept} is lost: the card has ${number}`]),
    ...(isWhole || number === 0 ? [] : [`the card is half saved: ${JSON.stringify(card)}`]),
  ];
}

test(
  'what was acknowledged is there after kill -9 at any moment, 50 times over',
  async () => {
    const ledger = new Ledger();
    let server = await start();
    const owner = await makeOwner(server, '9876543210', { designation: 'Engineer' });
    for (let round = 1; round <= ROUNDS; round += 1) {
      const work = [keepSaving(server, owner, ledger), leaveContacts(server, owner, ledger)];
      await new Promise((resolve) => setTimeout(resolve, Math.random() * LIFE_MS_MAX));
      await server.stop('SIGKILL');
      await Promise.all(work);
      server = await start();
      expect([round, await losses(server, owner, ledger)]).toEqual([round, []]);
    }

    // The control: many writes were acknowledged, some were cut off, and a loss would be seen.
    expect(ledger.saveKept).toBeGreaterThan(KEPT_MIN);
    expect(ledger.contactsKept.size).toBeGreaterThan(KEPT_MIN);
    expect(ledger.contactsKept.size).toBeLessThan(ledger.contactSent);
    ledger.contactsKept.add('Visitor who never was');
    ledger.saveKept = ledger.saveSent = ledger.saveSent + 1;
    expect(await losses(server, owner, ledger)).toEqual([
      'Visitor who never was is lost',
      expect.stringMatching(/^save \d+ is lost/),
    ]);
  },
  TEST_TIMEOUT_MS,
);

test(
  'a second server on one data folder is refused with a sentence; a killed one leaves it free',
  async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(
      `Another Tessera is running on the data folder ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
    );
    const health = await fetch(`${first.origin}/readyz`);
    expect(health.status).toBe(200);
    await first.stop('SIGKILL');
    const second = await start();
    expect(await second.stop()).toBe(0);
  },
  TEST_TIMEOUT_MS,
);
