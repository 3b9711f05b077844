import type { Contact } from '#contract/contact.ts';

import { sendRequest, createOwner } from './owner.ts';
import type { Owner } from './owner.ts';
import type { RunningServer } from './server.ts';

/** A card takes 500 contacts a day, over all rounds of one owner. */
export const ROUNDS_OF_ONE_OWNER_MAX = 50;
const CONTACTS_PER_ROUND = 8;
const LIFE_MS_MAX = 150;

/** Something that is killed and comes back with the same data. */
export interface Victim {
  readonly server: () => RunningServer;
  /** Kills it at once; resolves when it serves again. */
  readonly crash: () => Promise<void>;
  /** Nothing that it says after the crash has begun is a promise: the lights are out. */
  readonly isPowerCut?: true;
}

/** What was sent and what was acknowledged, over all lives of the victim. */
export class Ledger {
  rounds = 0;
  isDark = false;
  saveSent = 0;
  saveKept = 0;
  contactSent = 0;
  readonly contactsKept = new Set<string>();
}

/** Saves the card again and again until that fails: every field tells the save's number. */
async function keepSaving(server: RunningServer, owner: Owner, ledger: Ledger): Promise<void> {
  for (;;) {
    ledger.saveSent += 1;
    const mine = ledger.saveSent;
    const card = { name: `Save ${mine}`, bio: `Save ${mine}`, companyName: `Save ${mine}` };
    const handles = { X: `https://x.example/${mine}`, Web: `https://web.example/${mine}` };
    const isKept = await sendRequest(server, `/user/updateUser/${owner._id}`, {
      body: { ...card, socialMediaHandles: handles },
      token: owner.sessionToken,
    }).then(
      () => true,
      () => false,
    );
    if (!isKept) return;
    if (!ledger.isDark) ledger.saveKept = mine;
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
    if (answer?.status === 200 && !ledger.isDark) ledger.contactsKept.add(name);
  };
  const half = CONTACTS_PER_ROUND / 2;
  await Promise.all(Array.from({ length: half }, leave));
  await Promise.all(Array.from({ length: half }, leave));
}

async function listContacts(server: RunningServer, owner: Owner): Promise<string[]> {
  const found: Contact[] = [];
  for (;;) {
    const before = found.at(-1)?._id;
    const page = await sendRequest<Contact[]>(
      server,
      `/profile/getContacts/${owner._id}${before ? `?before=${before}` : ''}`,
      { token: owner.sessionToken },
    );
    found.push(...page);
    if (page.length === 0) return found.map(({ name }) => name);
  }
}

/** What was acknowledged and is not there, is there twice, or is half there. */
export async function losses(
  server: RunningServer,
  owner: Owner,
  ledger: Ledger,
): Promise<string[]> {
  const contacts = await listContacts(server, owner);
  const there = new Set(contacts);
  const lost = [...ledger.contactsKept].filter((name) => !there.has(name));
  const twice = contacts.filter((name, at) => contacts.indexOf(name) !== at);
  const card = await sendRequest<Record<string, unknown>>(server, `/user/${owner._id}`);
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

/** Makes an owner, and works on the card while it is killed, so many times. Throws at the first loss. */
export async function crashAgainAndAgain(victim: Victim, phone: string, rounds: number) {
  const ledger = new Ledger();
  const owner = await createOwner(victim.server(), phone, { designation: 'Engineer' });
  while (ledger.rounds < rounds) {
    const server = victim.server();
    const work = [keepSaving(server, owner, ledger), leaveContacts(server, owner, ledger)];
    await new Promise((resolve) => setTimeout(resolve, Math.random() * LIFE_MS_MAX));
    ledger.isDark = victim.isPowerCut ?? false;
    await victim.crash();
    await Promise.all(work);
    ledger.isDark = false;
    ledger.rounds += 1;
    const found = await losses(victim.server(), owner, ledger);
    if (found.length > 0) throw new Error(`round ${ledger.rounds}: ${found.join(', ')}`);
  }
  return { owner, ledger };
}

/** Does all of the work, two pieces at a time: while one waits for a start, the other serves. */
export async function inTwoLanes<Result>(work: (() => Promise<Result>)[]): Promise<Result[]> {
  const waiting = [...work];
  const results: Result[] = [];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await next());
  };
  await Promise.all([lane(), lane()]);
  return results;
}
