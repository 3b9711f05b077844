// A million cards in SQLite on one core, from empty memory: requests in Zipf order, with saves and contacts among
// them, at a rate that rises and then stays, the same while a backup runs, and the same after a restart.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { timed, withService } from './client.mjs';
import { createZipf, percentile } from './numbers.mjs';
import { insertSessions } from './setup.mjs';

const CONNECTIONS = 256;
const OWNERS = 1000;
const FIRST_RATE = 500;
/** How much longer than the time at the full rate the rise takes. */
const RISE_SHARE = 0.4;
/** Saves are 1 % of the requests, and new contacts 0.2 %. */
const [SAVE_EVERY, CONTACT_EVERY] = [100, 500];
const TICK_MS = 5;
const SECOND_MS = 1000;
/** A service that is so far behind does not catch up. */
const WAITING_MAX = 4000;
/** So far apart that neighbours in rank are not neighbours in the database; a prime. */
const STEP = 387_420_499;
/** A page on disk belongs to one PUBLIC_URL, whose default would change with the port at each start. */
const PUBLIC_URL = 'https://cards.example';
const METRICS_TOKEN = 'the-token-of-the-bench';

export async function measureMillion(setup, options) {
  const { cards = 1_000_000, rate = 4200, seconds = 300 } = toNumbers(options);
  const dataDir = await setup.fillOnce(cards);
  const owners = insertSessions(dataDir, OWNERS);
  const { CARD_CACHE_MB } = process.env;
  const env = { METRICS_TOKEN, VIEWS: 'contacts', PUBLIC_URL, CARD_CACHE_MB };
  rmSync(join(dataDir, 'cache'), { recursive: true, force: true });
  /** Starts the service with empty memory, and lets the rate rise before `measure`. */
  const run = (measure) =>
    withService(setup, { connections: CONNECTIONS, dataDir, env }, async ({ service, send }) => {
      const load = createLoad({ setup, send, cards, owners });
      await load({
        seconds: seconds * RISE_SHARE,
        rateAt: (share) => FIRST_RATE + share * (rate - FIRST_RATE),
      });
      const measureAs = (name) =>
        measured(name, { service, load: () => load({ seconds, rateAt: () => rate }) });
      return measure(service, measureAs);
    });
  const first = await run(async ({ origin, startMs }, measureAs) => {
    const figures = await measureAs('a million');
    const stopBackups = startBackups(setup, dataDir);
    const backup = await measureAs('with a backup');
    stopBackups();
    const headers = { 'accept-encoding': 'br' };
    const page = await fetch(`${origin}/user/${setup.idOf(1)}`, { headers });
    return {
      'a million: start, ms': startMs,
      'a million: bytes of a page': Number(page.headers.get('content-length')),
      ...figures,
      ...backup,
    };
  });
  const second = await run(async ({ startMs }, measureAs) => {
    return { 'restarted: start, ms': startMs, ...(await measureAs('restarted')) };
  });
  return { ...first, ...second };
}

const toNumbers = (options) =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, Number(value)]));

/** Returns a function that sends requests at a rate, whether or not those before are answered. */
function createLoad({ setup, send, cards, owners }) {
  const rank = createZipf(cards);
  let sent = 0;
  const sendNext = () => {
    sent += 1;
    // The owners take turns, because each owner's saves and contacts are limited.
    const ownerAt = (every) => owners[Math.floor(sent / every) % owners.length];
    if (sent % CONTACT_EVERY === 1) {
      const contact = { name: `Kaveri ${sent}`, mobile: '98765 43210', email: '', companyName: '' };
      const body = JSON.stringify({ userID: ownerAt(CONTACT_EVERY).id, contact });
      return send('/api/profile/addContact', { body });
    }
    if (sent % SAVE_EVERY === 0) {
      const { id, token } = ownerAt(SAVE_EVERY);
      const body = JSON.stringify({ bio: `Houses that keep cool without machines. ${sent}` });
      return send(`/api/user/updateUser/${id}`, { token, body });
    }
    return send(`/user/${setup.idOf(1 + ((rank() * STEP) % cards))}`);
  };
  return async ({ seconds, rateAt }) => {
    const durations = [];
    const waiting = new Set();
    let [failed, due] = [0, 0];
    const startedAt = performance.now();
    let at = startedAt;
    for (const end = startedAt + seconds * SECOND_MS; at < end && waiting.size < WAITING_MAX;) {
      await delay(TICK_MS);
      const now = performance.now();
      due += ((now - at) / SECOND_MS) * rateAt((now - startedAt) / (end - startedAt));
      at = now;
      for (; due >= 1; due -= 1) {
        const request = timed(sendNext).then(
          (ms) => durations.push(ms),
          () => (failed += 1),
        );
        waiting.add(request);
        void request.finally(() => waiting.delete(request));
      }
    }
    await Promise.all(waiting);
    return { durations, failed, seconds: (performance.now() - startedAt) / SECOND_MS };
  };
}

async function measured(name, { service, load }) {
  const [cpuMs, hits] = [service.cpuMs(), await readHits(service)];
  const { durations, failed, seconds } = await load();
  const grown = (await readHits(service)).map((count, index) => count - hits[index]);
  const total = grown.reduce((sum, count) => sum + count);
  const [stored, read] = grown.map((count) => (100 * count) / total);
  return {
    [`${name}: requests a second`]: durations.length / seconds,
    [`${name}: p50 ms`]: percentile(durations, 0.5),
    [`${name}: p99 ms`]: percentile(durations, 0.99),
    [`${name}: failed`]: failed,
    [`${name}: CPU ms of a request`]: (service.cpuMs() - cpuMs) / durations.length,
    [`${name}: from memory, %`]: stored,
    [`${name}: from disk, %`]: read,
    [`${name}: resident MB`]: service.memoryMb(),
  };
}

/** Returns how many pages came from memory, came from disk, and were rendered. A count that a version lacks is 0. */
async function readHits({ origin }) {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${origin}/metrics`, { headers })).text();
  return ['stored', 'read', 'made'].map((state) =>
    Number(
      new RegExp(`^tessera_responses\\{state="${state}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
    ),
  );
}

/** Makes one backup after the other on any core; returns a function that ends that. */
function startBackups({ checkout, folder }, dataDir) {
  let child;
  let isEnded = false;
  const next = () => {
    if (isEnded) return;
    const target = mkdtempSync(join(folder, 'backup-'));
    const command = [join(checkout, 'dist/server/command.js'), 'backup', target];
    child = spawn(process.execPath, command, {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'inherit'],
    }).on('exit', () => {
      rmSync(target, { recursive: true, force: true });
      next();
    });
  };
  next();
  return () => {
    isEnded = true;
    child.kill();
  };
}
