import { setTimeout as pause } from 'node:timers/promises';

import { sendRequest } from './owner.ts';
import type { Owner } from './owner.ts';

type Kind = 'read' | 'save' | 'contact';

/** Below the limit of 500 a day (docs/product.md#limits). */
const CONTACTS_PER_OWNER = 150;

let addresses = 0;

/** A new IP address for each request; the nodes trust the proxy's X-Forwarded-For. */
function nextAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/**
 * Reads cards, saves them and sends contacts, each `pauseMs` after the last response, until `stop`.
 * Records what was acknowledged.
 */
export function startLoad(origin: string, owners: readonly Owner[], pauseMs = 0) {
  const failures: { kind: Kind; reason: string }[] = [];
  const saved = new Map<string, string>();
  const contacts: { owner: Owner; name: string }[] = [];
  /** Names of saves and contacts whose error was 'not saved'. */
  const rejected = new Set<string>();
  const sent = { read: 0, save: 0, contact: 0 };
  const stopped = new AbortController();

  interface Call {
    readonly path: string;
    readonly name?: string;
    readonly headers?: Record<string, string>;
    readonly json?: object;
  }

  async function send(kind: Kind, { path, name = '', json, ...init }: Call): Promise<boolean> {
    await pause(pauseMs);
    sent[kind] += 1;
    const own = { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() };
    const headers = { ...own, ...init.headers };
    const call = json ? { method: 'POST', headers, body: JSON.stringify(json) } : { headers };
    try {
      const response = await fetch(origin + path, call);
      const text = await response.text();
      if (response.ok) return true;
      if (text.includes('not saved')) rejected.add(name);
      failures.push({ kind, reason: `${response.status} ${text.slice(0, 200)}` });
    } catch (error) {
      failures.push({ kind, reason: String((error as Error).cause ?? error) });
    }
    return false;
  }

  async function read(owner: Owner): Promise<void> {
    while (!stopped.signal.aborted) {
      await send('read', { path: `/user/${owner._id}` });
      await send('read', { path: `/api/user/${owner._id}` });
    }
  }

  async function save(owner: Owner): Promise<void> {
    for (let count = 1; !stopped.signal.aborted; count += 1) {
      const name = `Name ${count} of ${owner._id}`;
      const headers = { authorization: owner.sessionToken };
      const path = `/api/user/updateUser/${owner._id}`;
      const isSaved = await send('save', { path, name, headers, json: { name } });
      // A write without an acknowledgement may be stored or not; both are correct.
      if (isSaved) saved.set(owner._id, name);
      else saved.delete(owner._id);
    }
  }

  async function sendContacts(owner: Owner): Promise<void> {
    for (let count = 1; !stopped.signal.aborted && count <= CONTACTS_PER_OWNER; count += 1) {
      const name = `Visitor ${nextAddress()}`;
      const contact = { name, mobile: '1', email: '', companyName: '' };
      const json = { userID: owner._id, contact };
      const isStored = await send('contact', { path: '/api/profile/addContact', name, json });
      if (isStored) contacts.push({ owner, name });
    }
  }

  const senders = [read, read, save, sendContacts];
  const loops = owners.flatMap((owner) => senders.map((start) => start(owner)));

  /** Returns acknowledged names and contacts that are not stored. */
  async function findLosses(): Promise<string[]> {
    const missing: string[] = [];
    for (const owner of owners) {
      const card = await sendRequest<{ name: string }>({ origin }, `/user/${owner._id}`);
      const wanted = saved.get(owner._id);
      if (wanted !== undefined && card.name !== wanted) missing.push(`${wanted} (is ${card.name})`);
      const names = new Set(await contactNames(origin, owner));
      const sentByOwner = contacts.filter((contact) => contact.owner === owner);
      missing.push(...sentByOwner.map(({ name }) => name).filter((name) => !names.has(name)));
    }
    return missing;
  }

  /** Returns names and contacts that are stored although the error was 'not saved'. */
  async function findUnexpected(): Promise<string[]> {
    const stored: string[] = [];
    for (const owner of owners) {
      const card = await sendRequest<{ name: string }>({ origin }, `/user/${owner._id}`);
      stored.push(card.name, ...(await contactNames(origin, owner)));
    }
    return stored.filter((name) => rejected.has(name));
  }

  return {
    failures,
    sent,
    findLosses,
    findUnexpected,
    stop: async () => {
      stopped.abort();
      await Promise.all(loops);
    },
  };
}

/** The names of all contacts of an owner, page by page. */
export async function contactNames(origin: string, owner: Owner): Promise<string[]> {
  const found: { _id: string; name: string }[] = [];
  for (;;) {
    const before = found.length === 0 ? '' : `?before=${found.at(-1)?._id}`;
    const path = `/profile/getContacts/${owner._id}${before}`;
    const page = await sendRequest<typeof found>({ origin }, path, { token: owner.sessionToken });
    if (page.length === 0) return found.map(({ name }) => name);
    found.push(...page);
  }
}
