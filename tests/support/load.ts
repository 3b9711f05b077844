import { setTimeout as pause } from 'node:timers/promises';

import { sendRequest } from './owner.ts';
import type { Owner } from './owner.ts';

type Kind = 'read' | 'save' | 'contact';

interface Call {
  readonly path: string;
  readonly name?: string;
  readonly token?: string;
  readonly body?: object;
}

/** `contacts` counts those of one visitor. The sum stays below the daily limit of a card (docs/develop/product.md#limits). */
const STEADY = { readers: 2, visitors: 1, contacts: 150 };
const UNTIL_CRASH = { readers: 0, visitors: 4, contacts: 2 };

let addresses = 0;

/** Returns a new IP address for each request. The nodes trust the proxy's X-Forwarded-For. */
function nextAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

const newRecord = (owner: Owner) => ({
  owner,
  lastSent: 0,
  lastAcknowledged: 0,
  contacts: new Set<string>(),
  /** The names of saves and contacts that the service rejected as 'not saved'. */
  rejected: new Set<string>(),
});
type WriteRecord = ReturnType<typeof newRecord>;

/** Reads cards, saves them and sends contacts until `stop`. Each request waits `pauseMs` after the last response. */
export function startLoad(origin: string, owners: readonly Owner[], pauseMs = 0) {
  const load = createLoad(owners, pauseMs);
  load.start(origin);
  return load;
}

type Crash = 'kill' | 'power cut';

/** Creates a load that can be restarted. If it is for crashes, saving stops at the first save that fails. */
export function createLoad(owners: readonly Owner[], pauseMs = 0, crash?: Crash) {
  const { readers, visitors, contacts } = crash ? UNTIL_CRASH : STEADY;
  const failures: { kind: Kind; reason: string }[] = [];
  const records = owners.map(newRecord);
  const sent = { read: 0, save: 0, contact: 0 };
  let origin = '';
  let stopped = new AbortController();
  let loops: Promise<void>[] = [];

  async function send(kind: Kind, record: WriteRecord, { path, name = '', token, body }: Call) {
    await pause(pauseMs);
    sent[kind] += 1;
    const own = { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() };
    const headers = { ...own, ...(token && { authorization: token }) };
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    try {
      const response = await fetch(origin + path, { headers, ...init });
      const text = await response.text();
      if (response.ok) return crash !== 'power cut' || !stopped.signal.aborted;
      if (text.includes('not saved')) record.rejected.add(name);
      failures.push({ kind, reason: `${response.status} ${text.slice(0, 200)}` });
    } catch (error) {
      failures.push({ kind, reason: String((error as Error).cause ?? error) });
    }
    return false;
  }

  async function read(record: WriteRecord): Promise<void> {
    while (!stopped.signal.aborted)
      for (const start of ['/user', '/api/user'])
        await send('read', record, { path: `${start}/${record.owner._id}` });
  }

  /** Every field contains the number of the save, so that a half-saved card is noticed. */
  async function save(record: WriteRecord): Promise<void> {
    const { _id, sessionToken: token } = record.owner;
    while (!stopped.signal.aborted) {
      const number = (record.lastSent += 1);
      const name = `Save ${number}`;
      const handles = { X: `https://x.example/${number}`, Web: `https://web.example/${number}` };
      const body = { name, bio: name, companyName: name, socialMediaHandles: handles };
      const path = `/api/user/updateUser/${_id}`;
      if (await send('save', record, { path, name, token, body })) record.lastAcknowledged = number;
      else if (crash) return;
    }
  }

  async function visit(record: WriteRecord): Promise<void> {
    for (let count = 0; !stopped.signal.aborted && count < contacts; count += 1) {
      const name = `Visitor ${nextAddress()}`;
      const body = { userID: record.owner._id, contact: { name, mobile: '1' } };
      if (await send('contact', record, { path: '/api/profile/addContact', name, body }))
        record.contacts.add(name);
    }
  }

  return {
    failures,
    sent,
    records,
    start: (at: string) => {
      origin = at;
      stopped = new AbortController();
      const senders = [save, ...Array<typeof read>(readers).fill(read)];
      senders.push(...Array<typeof visit>(visitors).fill(visit));
      loops = records.flatMap((record) => senders.map((sender) => sender(record)));
    },
    stop: async () => {
      stopped.abort();
      await Promise.all(loops);
    },
    /** Returns a sentence for each write that is lost, stored in part or twice, or stored although rejected. */
    findLosses: async (at = origin) =>
      (await Promise.all(records.map((record) => findLosses(at, record)))).flat(),
  };
}

async function findLosses(
  origin: string,
  { owner, lastSent, lastAcknowledged, contacts, rejected }: WriteRecord,
) {
  const names = await contactNames(origin, owner);
  const card = await sendRequest<Record<string, unknown>>({ origin }, `/user/${owner._id}`);
  const number = Number(/^Save (\d+)$/.exec(String(card['name']))?.[1] ?? 0);
  const isKnown = number >= lastAcknowledged && number <= lastSent;
  const isWhole =
    card['bio'] === card['name'] &&
    card['companyName'] === card['name'] &&
    JSON.stringify(card['socialMediaHandles']).split(`example/${number}"`).length === 3;
  return [
    ...[...contacts].filter((name) => !names.includes(name)).map((name) => `${name} is lost`),
    ...names
      .filter((name, at) => names.indexOf(name) !== at)
      .map((name) => `${name} is there twice`),
    ...[...names, `Save ${number}`]
      .filter((name) => rejected.has(name))
      .map((name) => `${name} is there, and was rejected`),
    ...(isKnown ? [] : [`save ${lastAcknowledged} is lost: the card has ${number}`]),
    ...(isWhole || number === 0 ? [] : [`the card is half saved: ${JSON.stringify(card)}`]),
  ];
}

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
