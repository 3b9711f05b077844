// A cached card while strangers send wrong codes and invalid tokens as fast as they can.
import { Agent, request } from 'node:http';

const DURATION_MS = 3000;
const CONNECTIONS = 8;
const PAUSE_MS = 2;

/** Returns the duration of a cached card in ms, without other load and during the guesses. */
export async function measureGuesses({ origin }, card) {
  const send = createSender(origin);
  const quiet = await timeCards(send, card);
  const guessers = new AbortController();
  const counts = { codes: 0, tokens: 0 };
  const guesses = [
    ...Array.from({ length: CONNECTIONS }, (_, at) => guessCodes(send, { at, counts, guessers })),
    ...Array.from({ length: CONNECTIONS }, (_, at) => guessTokens(send, { at, counts, guessers })),
  ];
  const busy = await timeCards(send, card);
  guessers.abort();
  await Promise.all(guesses);
  send.agent.destroy();
  return {
    'card, no other load, p50/p99 ms': quiet,
    'card during guesses, p50/p99 ms': busy,
    'wrong codes/s': Math.round((counts.codes * 1000) / DURATION_MS),
    'invalid tokens/s': Math.round((counts.tokens * 1000) / DURATION_MS),
  };
}

function createSender(origin) {
  const agent = new Agent({ keepAlive: true });
  const send = (path, { body, headers }) =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      request(origin + path, { agent, method, headers: { ...type, ...headers } }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
      })
        .on('error', reject)
        .end(body);
    });
  return Object.assign(send, { agent });
}

async function timeCards(send, card) {
  const durations = [];
  const end = performance.now() + DURATION_MS;
  for (let count = 0; performance.now() < end; count += 1) {
    const headers = { 'x-forwarded-for': `172.18.${(count >> 8) & 255}.${count & 255}` };
    const start = performance.now();
    await send(card, { headers });
    durations.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(2);
  return `${at(0.5)} / ${at(0.99)}`;
}

/** Guesses codes for one phone after another, each from an address of its own. */
async function guessCodes(send, { at, counts, guessers }) {
  for (let round = 0; !guessers.signal.aborted; round += 1) {
    const headers = { 'x-forwarded-for': `172.19.${at}.${round & 255}` };
    const phone = `98${at}${String(round).padStart(7, '0')}`;
    const body = JSON.stringify({ appId: 'tessera', phone });
    const { challenge } = JSON.parse(await send('/api/otp/send', { headers, body }));
    const guess = JSON.stringify({ challenge: challenge ?? '', code: '000000' });
    for (let guesses = 0; guesses < 5 && !guessers.signal.aborted; guesses += 1) {
      await send('/api/otp/verify', { headers, body: guess });
      counts.codes += 1;
    }
  }
}

async function guessTokens(send, { at, counts, guessers }) {
  for (let count = 0; !guessers.signal.aborted; count += 1) {
    const authorization = `invalid-${at}-${count}`.padEnd(43, 'x');
    const headers = { authorization, 'x-forwarded-for': `172.20.${at}.${(count >> 5) & 255}` };
    await send('/api/user/authenticate/phone', { headers });
    counts.tokens += 1;
  }
}
