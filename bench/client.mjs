// Requests over connections that stay open, and their durations.
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { percentile } from './percentile.mjs';

const PAUSE_MS = 2;

/** Returns a function that sends a request and resolves with status and text; a body makes it a POST. */
export function createClient(origin, { connections = Infinity } = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send = (path, { body, headers } = {}) =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
      request(origin + path, { agent, method, headers: { ...type, ...headers } }, (response) => {
        let text = '';
        response
          .on('data', (chunk) => (text += chunk))
          .on('end', () => resolve({ status: response.statusCode, text }))
          .on('error', reject);
      })
        .on('error', reject)
        .end(body);
    });
  return Object.assign(send, { close: () => agent.destroy() });
}

/** The networks of the addresses. Each kind of load has its own, so that they share no rate limit. */
export const NETWORKS = {
  owners: '172.16',
  misses: '172.17',
  cards: '172.18',
  profiles: '172.19',
  slowMisses: '172.20',
  previewPages: '172.21',
  previews: '172.22',
  memory: '172.23',
  attackers: '172.24',
  codeGuesses: '172.25',
  tokenGuesses: '172.26',
  visitors: '172.27',
  tail: '172.28',
};

/** Returns the headers of a request from its own address, so that no rate limit is reached. */
export function fromAddress(count, network = NETWORKS.cards) {
  return { 'x-forwarded-for': `${network}.${(count >> 8) & 255}.${count & 255}` };
}

/**
 * Sends requests one after the other with short pauses, until `until` resolves. Returns the
 * percentiles of each request's duration in milliseconds, by the names in `requests`. A request is a
 * function of a count that returns a promise of the reply; a reply that is not 200 is an error.
 */
export async function timeRequests(requests, until) {
  const durations = Object.fromEntries(Object.keys(requests).map((name) => [name, []]));
  const ended = new AbortController();
  const over = until.finally(() => ended.abort());
  for (let count = 0; !ended.signal.aborted; count += 1) {
    for (const [name, send] of Object.entries(requests)) {
      const start = performance.now();
      const { status } = await send(count);
      durations[name].push(performance.now() - start);
      if (status !== 200) throw new Error(`${name}: ${status}`);
    }
    await delay(PAUSE_MS);
  }
  await over;
  return Object.fromEntries(
    Object.entries(durations).map(([name, all]) => [
      name,
      { p50: percentile(all, 0.5), p99: percentile(all, 0.99) },
    ]),
  );
}
