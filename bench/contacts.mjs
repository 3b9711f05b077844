// The Contacts view: pages and searches with 10,000 contacts, and an export of 100,000.
import { createECDH, randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { DatabaseSync } from '@photostructure/sqlite';

import { createClient } from './client.mjs';
import { percentile } from './percentile.mjs';
import { memoryMb } from './process.mjs';

const LISTED = 10_000;
const EXPORTED = 100_000;
/** The 99th percentile of pages is then the fifth longest, so that one pause does not change the result. */
const ROUNDS = 500;
const WARM_UP_ROUNDS = 50;
/** An owner has 300 searches a minute. */
const SEARCH_ROUNDS = 120;
const SEARCH_WARM_UP_ROUNDS = 20;
const POLL_MS = 20;
const ID_RADIX = 36;
/** Of a push subscription (RFC 8291). */
const AUTH_BYTES = 16;
const ID_TIME_DIGITS = 9;
const FIRST_NAMES = ['Ravi', 'Meera', 'René', 'मीरा', 'Priya', 'Jürgen', 'Fatima', 'Sanjay'];
const COMPANIES = ['Kaveri Steel Works', 'Rao & Partners', 'Café de Lille', ''];

export async function measureContacts(setup) {
  const data = join(setup.folder, 'contacts');
  cpSync(setup.dataDir, data, { recursive: true });
  const [listed, exported] = setup.owners;
  addContacts(data, listed.id, LISTED);
  addContacts(data, exported.id, EXPORTED);
  const service = await setup.startService({ from: data, env: { VIEWS: 'contacts' } });
  const send = createClient(service.origin);
  const call = async (name, { id, token }, body) => {
    const options = { body: JSON.stringify(body), headers: { authorization: token } };
    const { status, text } = await send(`/api/contacts/${name}/${id}`, options);
    if (status !== 200) throw new Error(`${name}: ${status} ${text}`);
    return text;
  };

  const pages = (query) => {
    const rounds = query.search
      ? { rounds: SEARCH_ROUNDS, warmUp: SEARCH_WARM_UP_ROUNDS }
      : { rounds: ROUNDS, warmUp: WARM_UP_ROUNDS };
    return timePages((body) => call('findContacts', listed, body), query, rounds);
  };
  const newest = await pages({});
  const byName = await pages({ order: 'name' });
  const found = await pages({ search: 'rene' });
  const missed = await pages({ search: 'nobody' });
  const memoryBefore = memoryMb(service.pid);
  const memory = watchMemory(service.pid);
  const exportMs = await time(async () => {
    const lines = (await call('exportCsv', exported, {})).split('\r\n').length;
    if (lines !== EXPORTED + 2) throw new Error(`The export has ${lines} lines.`);
  });
  const memoryMax = await memory.end();
  send.close();
  await service.stop();
  return {
    'contacts-newest': newest,
    'contacts-by-name': byName,
    'contacts-found': found,
    'contacts-missed': missed,
    'contacts-export': exportMs / 1000,
    'contacts-export-memory': memoryMax - memoryBefore,
  };
}

/** Reads the resident memory of a process again and again; `end` returns the largest in MB. */
function watchMemory(pid) {
  const ended = new AbortController();
  const largest = (async () => {
    let max = 0;
    while (!ended.signal.aborted) {
      max = Math.max(max, memoryMb(pid));
      await delay(POLL_MS);
    }
    return max;
  })();
  return {
    end: () => {
      ended.abort();
      return largest;
    },
  };
}

/** Returns the 99th percentile of the milliseconds of a page, page after page. */
async function timePages(find, query, { rounds, warmUp }) {
  const durations = [];
  let after;
  for (let round = 0; round < warmUp + rounds; round += 1) {
    let page;
    const body = { ...query, ...(after ? { after } : {}) };
    durations.push(await time(async () => void (page = JSON.parse(await find(body)))));
    after = page.next;
  }
  return percentile(durations.slice(warmUp), 0.99);
}

async function time(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Inserts contacts as a release without the view does. */
export function addContacts(dataDir, userId, count) {
  const database = new DatabaseSync(join(dataDir, 'tessera.sqlite'));
  const insert = database.prepare(
    `INSERT INTO contacts (id, user_id, name, mobile, email, company_name, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  database.exec('BEGIN');
  const start = Date.now() - count * 1000;
  for (let at = 0; at < count; at += 1) {
    const arrivedAt = start + at * 1000;
    const id = `${arrivedAt.toString(ID_RADIX).padStart(ID_TIME_DIGITS, '0')}${userId.toLowerCase()}`;
    const name = `${FIRST_NAMES[at % FIRST_NAMES.length]} ${at}`;
    const mobile = `+91 98${String(at).padStart(8, '0')}`;
    const company = COMPANIES[at % COMPANIES.length];
    insert.run(id, userId, name, mobile, `visitor${at}@example.com`, company, arrivedAt);
  }
  database.exec('COMMIT');
  database.close();
}

/** Subscribes every session, and queues a notification about each contact for one of them. */
export function addNotifications(dataDir, origin) {
  const database = new DatabaseSync(join(dataDir, 'tessera.sqlite'));
  const keys = createECDH('prime256v1');
  const now = Date.now();
  database
    .prepare(
      `INSERT INTO push_subscriptions (session_hash, user_id, endpoint, p256dh, auth, created_at)
       SELECT token_hash, user_id, ? || '/' || token_hash, ?, ?, ? FROM sessions`,
    )
    .run(
      origin,
      keys.generateKeys('base64url'),
      randomBytes(AUTH_BYTES).toString('base64url'),
      now,
    );
  database
    .prepare(
      `INSERT INTO push_messages (contact_id, session_hash, created_at, next_at)
       WITH numbered AS (SELECT session_hash, ROW_NUMBER() OVER () - 1 AS number
         FROM push_subscriptions)
       SELECT contact.id, session_hash, ?, ? FROM
         (SELECT id, ROW_NUMBER() OVER () AS number FROM contacts) AS contact
         JOIN numbered ON numbered.number = contact.number % (SELECT COUNT(*) FROM numbered)`,
    )
    .run(now, now);
  database.close();
}
