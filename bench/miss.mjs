// The CPU time of a cache miss: rendering and compressing a card page.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';

import { median } from './median.mjs';

const ROUNDS = 5;
/** The cache can hold this many cards, so the second request for each is a hit. */
const CARDS_MAX = 250;
const CONNECTIONS = 4;

/**
 * Requests cards under a new host, so that each is rendered, and then again from the cache. Returns
 * the medians of the server's CPU time per card in milliseconds.
 */
export async function measureMisses({ child, origin }, paths) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const options = { host: '127.0.0.1', port: new URL(origin).port, agent };
  const cardPaths = paths.slice(0, CARDS_MAX);

  const sendRequest = (at, host) =>
    new Promise((resolve, reject) => {
      const headers = { host, 'accept-encoding': 'br', 'x-forwarded-for': `172.17.0.${at}` };
      get({ ...options, path: cardPaths[at], headers }, (response) => {
        if (response.statusCode !== 200)
          reject(new Error(`${cardPaths[at]}: ${response.statusCode}`));
        response.resume().on('end', resolve);
      }).on('error', reject);
    });
  const cpuMsPerCard = async (host) => {
    const before = cpuMs(child.pid);
    await Promise.all(cardPaths.map((_, at) => sendRequest(at, host)));
    return (cpuMs(child.pid) - before) / cardPaths.length;
  };

  const rounds = [];
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const host = `host-${round}.example`;
    rounds.push({ miss: await cpuMsPerCard(host), hit: await cpuMsPerCard(host) });
  }
  agent.destroy();
  // The first half of the rounds is the warm-up.
  const pick = (key) => median(rounds.slice(ROUNDS).map((round) => round[key])).toFixed(2);
  return {
    'a card drawn, processor ms': pick('miss'),
    'from memory, by the same client': pick('hit'),
  };
}

/** Returns the CPU time of a process: fields 14 and 15 of /proc/pid/stat (proc(5)). */
function cpuMs(pid) {
  // The split removes fields 1 and 2, so field 14 is at index 11.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
}
