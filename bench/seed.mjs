// Creates the data of all measurements: owners by API calls, then copies of one card.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { DatabaseSync } from '@photostructure/sqlite';
import sharp from 'sharp';

import { NETWORKS, createClient, fromAddress } from './client.mjs';

const OWNERS = 32;
const FIRST_PHONE = 9_876_500_000;
const PHOTO_SIDE = 900;
const POLL_MS = 20;
const SOCIAL_NETWORKS = ['Maps', 'Instagram', 'LinkedIn', 'Pinterest', 'Facebook', 'YouTube'];
const MORE_NETWORKS = ['Web', 'Snapchat', 'Behance', 'X', 'Dribbble'];

const CARD = {
  name: 'Asha Rao',
  designation: 'Principal Architect',
  companyName: 'Rao & Partners Architects',
  bio: 'Houses that keep cool without machines. Bengaluru, Pune and the hills between. '.repeat(5),
  phone: '+91 98765 43210',
  email: 'asha.rao@rao-partners.example',
  socialMediaHandles: {
    Whatsapp: '9876543210',
    ...Object.fromEntries(
      [...SOCIAL_NETWORKS, ...MORE_NETWORKS].map((name) => [
        name,
        `https://${name}.example/asha.rao`,
      ]),
    ),
  },
};

/**
 * Creates owners with full cards by API calls; returns the id and the session of each, and the path
 * of the first one's photo.
 */
export async function createOwners(server, count = OWNERS) {
  const client = createClient(server.origin);
  const owners = [];
  for (let index = 0; index < count; index += 1) {
    const { _id, sessionToken: token } = await signIn(server, client, index);
    await send(client, `/user/updateUser/${_id}`, { token, body: CARD });
    owners.push({ id: _id, token });
  }
  client.close();
  return { owners, photo: await uploadPhoto(server.origin, owners[0]) };
}

async function signIn(server, client, index) {
  const headers = fromAddress(index, NETWORKS.owners);
  const phone = String(FIRST_PHONE + index);
  const { challenge } = await send(client, '/otp/send', {
    headers,
    body: { appId: 'tessera', phone },
  });
  let code;
  while (code === undefined) {
    code = new RegExp(`OTP \\+91${phone} (\\d{6})`).exec(server.output())?.[1];
    await delay(POLL_MS);
  }
  const { token } = await send(client, '/otp/verify', { headers, body: { challenge, code } });
  return send(client, '/user/authenticate/phone', { headers, token });
}

async function send(client, path, { token, headers = {}, body }) {
  const { status, text } = await client(`/api${path}`, {
    headers: { ...headers, ...(token === undefined ? {} : { authorization: token }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return JSON.parse(text);
}

/** Returns a photo (JPEG) with as much detail as a portrait. */
export function drawPortrait(side = PHOTO_SIDE) {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 };
  const size = { width: side, height: side };
  const portrait = sharp({ create: { ...size, channels: 3, noise, background: 'white' } });
  return portrait.blur(6).jpeg().toBuffer();
}

/** Uploads a photo; returns the response. */
export async function sendPhoto(origin, { id, token }, photo) {
  const form = new FormData();
  form.set('_id', id);
  form.set('image', new Blob([photo]), 'me.jpg');
  const response = await fetch(`${origin}/api/user/uploadProfileImage`, {
    method: 'POST',
    headers: { authorization: token },
    body: form,
  });
  return { status: response.status, text: await response.text() };
}

/** Uploads a portrait; returns its path. */
export async function uploadPhoto(origin, owner) {
  const { status, text } = await sendPhoto(origin, owner, await drawPortrait());
  if (status !== 200) throw new Error(`The upload failed: ${status}`);
  return new URL(JSON.parse(text).profilePhoto, origin).pathname;
}

/** Creates copies of a card; returns their ids. The server must be stopped. */
export function copyCard(dataDir, { id, count, prefix }) {
  const database = new DatabaseSync(join(dataDir, 'tessera.sqlite'));
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all('users');
  const copied = columns.map(({ name }) => name).filter((name) => !/^(id|login_phone)$/.test(name));
  const insert = database.prepare(
    `INSERT INTO users (id, login_phone, ${copied.join(', ')})
     SELECT ?1, ?2, ${copied.join(', ')} FROM users WHERE id = ?3`,
  );
  // 16 characters of the alphabet of ids, which has no 0.
  const first = 10 ** (15 - prefix.length);
  const ids = Array.from(
    { length: count },
    (_, index) => prefix + String(first + index).replaceAll('0', 'z'),
  );
  database.exec('BEGIN');
  for (const copy of ids) insert.run(copy, copy, id);
  database.exec('COMMIT');
  database.close();
  return ids;
}
