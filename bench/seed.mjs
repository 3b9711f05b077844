// Creates 1,000 full cards: one with a photo by API calls, the others as copies of its row.
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';
import sharp from 'sharp';

const CARDS = 1000;
const PHOTO_SIDE = 900;
const NETWORKS = ['Maps', 'Instagram', 'LinkedIn', 'Pinterest', 'Facebook', 'YouTube'];
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
      [...NETWORKS, ...MORE_NETWORKS].map((name) => [name, `https://${name}.example/asha.rao`]),
    ),
  },
};

/** Creates an owner with a full card by API calls; returns the id and the path of the photo. */
export async function createOwner(origin, codeFor) {
  const send = async (path, { body, token }) => {
    const response = await fetch(`${origin}/api${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: token } : {}),
      },
      body,
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const phone = '9876543210';
  const request = { body: JSON.stringify({ appId: 'tessera', phone }) };
  const { challenge } = await send('/otp/send', request);
  const code = await codeFor(`+91${phone}`);
  const { token } = await send('/otp/verify', { body: JSON.stringify({ challenge, code }) });
  const { _id, sessionToken } = await send('/user/authenticate/phone', { token });
  await send(`/user/updateUser/${_id}`, { body: JSON.stringify(CARD), token: sessionToken });
  const form = new FormData();
  form.set('_id', _id);
  form.set('image', new Blob([await portrait()], { type: 'image/jpeg' }), 'me.jpg');
  const { profilePhoto } = await send('/user/uploadProfileImage', {
    body: form,
    token: sessionToken,
  });
  return { _id, photo: new URL(profilePhoto, origin).pathname };
}

/** Creates copies of a card, 1,000 cards in total; returns all ids. The server must be stopped. */
export function copyCard(dataDir, id) {
  const database = new DatabaseSync(join(dataDir, 'tessera.sqlite'));
  const insert = database.prepare(
    `INSERT INTO users (id, login_phone, name, designation, company_name, bio, phone, email,
       profile_photo, social_media_handles, created_at, updated_at)
     SELECT ?1, ?2, name, designation, company_name, bio, phone, email,
       profile_photo, social_media_handles, created_at, updated_at FROM users WHERE id = ?3`,
  );
  const ids = [id];
  database.exec('BEGIN');
  for (let count = 1; count < CARDS; count += 1) {
    const copy = `Bench${20_000_000_000 + count}`.replaceAll('0', 'z');
    insert.run(copy, `+91${7_000_000_000 + count}`, id);
    ids.push(copy);
  }
  database.exec('COMMIT');
  database.close();
  return ids;
}

/** Returns a picture with as much detail as a portrait. */
function portrait() {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 };
  return sharp({
    create: { width: PHOTO_SIDE, height: PHOTO_SIDE, channels: 3, noise, background: 'white' },
  })
    .blur(6)
    .jpeg()
    .toBuffer();
}
