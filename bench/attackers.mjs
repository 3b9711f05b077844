// The hostile visitors, in a process of their own, so that they do not delay the measurement. It
// sends a message at the first reply; at a message it sends the number of replies since then.
import { setTimeout as delay } from 'node:timers/promises';

import { createClient, fromAddress } from './client.mjs';
import { guessCodes, guessTokens } from './guess.mjs';
import { uploadPhoto } from './seed.mjs';

const CONNECTIONS = 8;
const LOCKED_CALLERS = 10;
const NAME_BYTES = 63 * 1024;
const ADDRESSES = 200;
const ABSENT_PAUSE_MS = 10;

const { attack, origin, card, owner } = JSON.parse(process.argv[2]);
const send = createClient(origin);
const address = (at, round) => fromAddress(at * ADDRESSES + (round % ADDRESSES), '172.24');
let count = 0;

/** Runs a function as fast as its promises resolve, on several connections, until the process ends. */
function repeat(one, connections = CONNECTIONS) {
  const loop = async (_, at) => {
    for (let round = 0; ; round += 1) {
      await one(at, round);
      if (count === 0) process.send('begun');
      count += 1;
    }
  };
  return Promise.all(Array.from({ length: connections }, loop));
}

const save = (name, headers) =>
  send(`/api/user/updateUser/${owner.id}`, {
    body: JSON.stringify({ name }),
    headers: { authorization: owner.token, ...headers },
  });

const ATTACKS = {
  /** Names of 64 KB in UTF-8 whose normalisation would be quadratic. */
  names: () => {
    const name = `a${'\u0315\u0300'.repeat(NAME_BYTES / 4)}`;
    const userID = card.split('/').at(-1);
    const body = JSON.stringify({ userID, contact: { name, mobile: '1' } });
    return repeat((at, round) =>
      send('/api/profile/addContact', { body, headers: address(at, round) }),
    );
  },

  guesses: () =>
    Promise.all([
      repeat((at, round) => guessCodes(send, { at, round })),
      repeat((at, round) => guessTokens(send, { at, round })),
    ]),

  /** One account changes its name and requests the picture of each version. */
  previews: () =>
    repeat(async (at, round) => {
      const headers = address(at, round);
      await save(`Asha ${at} ${round}`, headers);
      await send(`/user/${owner.id}/preview.jpg`, { headers });
    }),

  /** Requests absent photos and readiness; uploads one photo. */
  store: () => {
    const upload = uploadPhoto(origin, owner).catch(() => undefined);
    const reads = repeat(async (at, round) => {
      const name = `${'1'.repeat(16)}-${String(at * 1e6 + round).padStart(22, '0')}.jpg`;
      const photo = send(`/photos/${name}`, { headers: address(at, round) });
      photo.catch(() => undefined);
      await send('/readyz', { headers: address(at, round) });
      await delay(ABSENT_PAUSE_MS);
    });
    return Promise.all([upload, reads]);
  },

  /** Saves a card whose row is locked. */
  lock: () => repeat((at, round) => save(`Asha ${at} ${round}`, {}), LOCKED_CALLERS),
};

process.once('message', () => process.send(count));
await ATTACKS[attack]();
