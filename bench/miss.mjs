// What a card costs that is not in memory: processor time of drawing and compressing it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';

import { median } from './median.mjs';

const ROUNDS = 5;
/** Few enough that all are still in memory when they are asked for again. */
const CARDS_MAX = 250;
const CONNECTIONS = 4;

/** Asks for cards under hosts of their own, under which each is drawn anew, and then once more. */
export async function missCost({ child, origin }, paths) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const options = { host: '127.0.0.1', port: new URL(origin).port, agent };
  const some = paths.slice(0, CARDS_MAX);

  const sendRequest = (at, host) =>
    new Promise((resolve, reject) => {
      const headers = { host, 'accept-encoding': 'br', 'x-forwarded-for': `172.17.0.${at}` };
      get({ ...options, path: some[at], headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${some[at]}: ${answer.statusCode}`));
        answer.resume().on('end', resolve);
      }).on('error', reject);
    });
  const each = async (host) => {
    const before = processorMs(child.pid);
    await Promise.all(some.map((_, at) => sendRequest(at, host)));
    return (processorMs(child.pid) - before) / some.length;
  };

  const rounds = [];
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const host = `host-${round}.example`;
    rounds.push({ drawn: await each(host), known: await each(host) });
  }
  agent.destroy();
  // The first half warms up.
  const pick = (key) => median(rounds.slice(ROUNDS).map((round) => round[key])).toFixed(2);
  return {
    'a card drawn, processor ms': pick('drawn'),
    'from memory, by the same client': pick('known'),
  };
}

/** Processor time that a process has taken (proc(5), stat: fields 14 and 15). */
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const perSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ((Number(fields[11]) + Number(fields[12])) / perSecond) * 1000;
}
