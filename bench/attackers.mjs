// Runs one attack in its own process, so that it does not delay the measurement. Sends 'begun' after
// the first reply, or when downloads have begun; on 'end', sends the number of replies.
import { connect } from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

import { NETWORKS, createClient, fromAddress } from './client.mjs';
import { guessCodes, guessTokens } from './guess.mjs';
import { drawPortrait, sendPhoto } from './seed.mjs';

const CONNECTIONS = 8;
const LOCKED_CALLERS = 10;
/** Just below the longest bodies of the two calls. */
const CONTACT_NAME_BYTES = 15 * 1024;
const CARD_NAME_BYTES = 63 * 1024;
const LARGE_PHOTO_SIDE = 4000;
const ADDRESSES = 200;
const ABSENT_PAUSE_MS = 10;

const { attack, origin, card, owner, owners } = JSON.parse(process.argv[2]);
const send = createClient(origin);
const address = (index, round) =>
  fromAddress(index * ADDRESSES + (round % ADDRESSES), NETWORKS.attackers);
let count = 0;
let hasBegun = false;

function begin() {
  if (!hasBegun) process.send('begun');
  hasBegun = true;
}

/** Runs a function as fast as its promises resolve, on several connections, until the process ends. */
function repeat(work, connections = CONNECTIONS) {
  const loop = async (_, index) => {
    for (let round = 0; ; round += 1) {
      await work(index, round);
      begin();
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

/** A name of so many bytes in UTF-8. */
const nameOf = (bytes) => `a${'\u0315\u0300'.repeat(bytes / 4)}`;

const ATTACKS = {
  /** Names whose normalisation would be quadratic: of contacts, and of a card. */
  'long-names': () => {
    const contact = { name: nameOf(CONTACT_NAME_BYTES), mobile: '1' };
    const body = JSON.stringify({ userID: card.split('/').at(-1), contact });
    const name = nameOf(CARD_NAME_BYTES);
    return Promise.all([
      repeat((index, round) =>
        send('/api/profile/addContact', { body, headers: address(index, round) }),
      ),
      repeat((index, round) => save(name, address(CONNECTIONS + index, round))),
    ]);
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

  /** One account saves its card. */
  saves: () => repeat((index, round) => save(`Asha ${index} ${round}`, address(index, round))),

  /** One account saves its card while notifications are sent. */
  notifications: () => repeat((index, round) => save(`Asha ${index} ${round}`, {})),

  /** Eight accounts upload photos of 16 megapixels. */
  photos: async () => {
    const photo = await drawPortrait(LARGE_PHOTO_SIDE);
    return repeat((index) => sendPhoto(origin, owners[index], photo));
  },

  /** One owner downloads everything. */
  download: () => {
    begin();
    return repeat(async () => {
      const { id, token } = owners[0];
      const headers = { authorization: token };
      const { body } = await fetch(`${origin}/api/account/downloadAccount/${id}`, { headers });
      await body.pipeTo(new WritableStream());
    }, 1);
  },

  /** Owners request everything and read nothing. */
  'unread-downloads': () => {
    const { hostname, port } = new URL(origin);
    for (const { id, token } of owners) {
      const head = [`GET /api/account/downloadAccount/${id} HTTP/1.1`, `Host: ${hostname}`];
      const socket = connect({ host: hostname, port }).pause();
      socket.write([...head, `Authorization: ${token}`, '', ''].join('\r\n'));
    }
    begin();
  },

  /** Sends tokens to a login provider that hangs. */
  'hanging-provider': () => repeat((index, round) => guessTokens(send, { index, round })),

  /** Requests absent photos and readiness; uploads one photo. */
  'hanging-store': () => {
    const upload = drawPortrait()
      .then((photo) => sendPhoto(origin, owner, photo))
      .catch(() => undefined);
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

  /** Different contacts to one card, from 200 networks. */
  contacts: () =>
    repeat((index, round) => {
      const contact = { name: `Visitor ${index} ${round}`, mobile: '1' };
      const network = (index + round * CONNECTIONS) % ADDRESSES;
      return send('/api/profile/addContact', {
        body: JSON.stringify({ userID: card.split('/').at(-1), contact }),
        headers: { 'x-forwarded-for': `2001:db8:${network}:${(round % 4000).toString(16)}::1` },
      });
    }),

  /** Saves a card whose row is locked. */
  'locked-row': () => repeat((index, round) => save(`Asha ${index} ${round}`, {}), LOCKED_CALLERS),
};

// The service and the measurement get the processor first: what is measured is the service, not how
// two programs on this machine share its cores.
setPriority(constants.priority.PRIORITY_LOW);
process.once('message', () => process.send(count));
await ATTACKS[attack]();
