// Runs one attack in its own process, so that it does not delay the measurement. Sends 'begun' after
// the first reply; on 'end', sends the number of replies.
import { setTimeout as delay } from 'node:timers/promises';

import { NETWORKS, createClient, fromAddress } from './client.mjs';
import { guessCodes, guessTokens } from './guess.mjs';
import { uploadPhoto } from './seed.mjs';

const CONNECTIONS = 8;
const LOCKED_CALLERS = 10;
const NAME_BYTES = 63 * 1024;
const ADDRESSES = 200;
const ABSENT_PAUSE_MS = 10;

const { attack, origin, card, owner } = JSON.parse(process.argv[2]);
const send = createClient(origin);
const address = (index, round) =>
  fromAddress(index * ADDRESSES + (round % ADDRESSES), NETWORKS.attackers);
let count = 0;

/** Runs a function as fast as its promises resolve, on several connections, until the process ends. */
function repeat(work, connections = CONNECTIONS) {
  const loop = async (_, index) => {
    for (let round = 0; ; round += 1) {
      await work(index, round);
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
  'long-names': () => {
    const name = `a${'\u0315\u0300'.repeat(NAME_BYTES / 4)}`;
    const userID = card.split('/').at(-1);
    const body = JSON.stringify({ userID, contact: { name, mobile: '1' } });
    return repeat((index, round) =>
      send('/api/profile/addContact', { body, headers: address(index, round) }),
    );
  },

  guesses: () =>
    Promise.all([
      repeat((index, round) => guessCodes(send, { index, round })),
      repeat((index, round) => guessTokens(send, { index, round })),
    ]),

  /** One account changes its name and requests the picture of each version. */
  previews: () =>
    repeat(async (index, round) => {
      const headers = address(index, round);
      await save(`Asha ${index} ${round}`, headers);
      await send(`/user/${owner.id}/preview.jpg`, { headers });
    }),

  /** Requests absent photos and readiness; uploads one photo. */
  'hanging-store': () => {
    const upload = uploadPhoto(origin, owner).catch(() => undefined);
    const reads = repeat(async (index, round) => {
      const name = `${'1'.repeat(16)}-${String(index * 1e6 + round).padStart(22, '0')}.jpg`;
      const headers = address(index, round);
      const photo = send(`/photos/${name}`, { headers });
      photo.catch(() => undefined);
      await send('/readyz', { headers });
      await delay(ABSENT_PAUSE_MS);
    });
    return Promise.all([upload, reads]);
  },

  /** Saves a card whose row is locked. */
  'locked-row': () => repeat((index, round) => save(`Asha ${index} ${round}`, {}), LOCKED_CALLERS),
};

process.once('message', () => process.send(count));
await ATTACKS[attack]();
