import type { Page } from '@playwright/test';
import sharp from 'sharp';

import type { RunningServer } from './server.ts';

export interface Owner {
  readonly _id: string;
  readonly sessionToken: string;
  /** The device cookie, `name=value`, which makes the browser of `storeSession` a known device. */
  readonly deviceCookie?: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };

type Server = Pick<RunningServer, 'origin' | 'codeFor'>;

export const FULL_CARD = {
  name: 'Asha Rao',
  designation: 'Principal Architect',
  companyName: 'Rao & Partners Architects',
  bio: 'Houses that keep cool without machines.\nBengaluru and Pune.',
  phone: '+91 98765 43210',
  email: 'asha.rao@rao-partners.example',
  socialMediaHandles: {
    Web: 'https://rao.example',
    Maps: 'https://maps.example/rao',
    Whatsapp: '9876543210',
    Instagram: 'https://instagram.com/rao',
    LinkedIn: 'https://linkedin.com/in/rao',
    Pinterest: 'https://pinterest.com/rao',
    Facebook: 'https://facebook.com/rao',
    YouTube: 'https://youtube.com/@rao',
    Snapchat: 'https://snapchat.com/add/rao',
    Behance: 'https://behance.net/rao',
    X: 'https://x.com/rao',
    Dribbble: 'https://dribbble.com/rao',
  },
};

/** Of its vCard, without the end. */
export const FULL_CARD_LINES = [
  'BEGIN:VCARD',
  'VERSION:3.0',
  'N:Rao;Asha;;;',
  'FN:Asha Rao',
  'TITLE:Principal Architect',
  'ORG:Rao & Partners Architects',
  'EMAIL;TYPE=INTERNET:asha.rao@rao-partners.example',
  'TEL;TYPE=CELL:+919876543210',
];

/** Signs in with a ten-digit Indian number and saves the card, without a browser. */
export async function createOwner(
  server: Server,
  phone: string,
  card: Record<string, unknown> = {},
): Promise<Owner> {
  const { token, deviceCookie } = await verifyCode(server, phone, await sendCode(server, phone));
  const session = await sendRequest<Owner>(server, '/user/authenticate/phone', { token });
  const call = { body: card, token: session.sessionToken };
  await sendRequest(server, `/user/updateUser/${session._id}`, call);
  return { ...session, deviceCookie };
}

/** Requests a one-time code; returns its challenge. */
export async function sendCode(server: Pick<RunningServer, 'origin'>, phone: string) {
  const body = { appId: 'tessera', phone };
  return (await sendRequest<{ challenge: string }>(server, '/otp/send', { body })).challenge;
}

/** Exchanges the newest code of a phone for a provider token. */
async function verifyCode(server: Server, phone: string, challenge: string) {
  const body = JSON.stringify({ challenge, code: await server.codeFor(`+91${phone}`) });
  const init = { method: 'POST', headers: JSON_TYPE, body };
  const response = await fetch(`${server.origin}/api/otp/verify`, init);
  if (!response.ok) throw new Error(`The code was rejected: ${response.status}`);
  const { token } = (await response.json()) as { token: string };
  return { token, deviceCookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

/** Makes a call, POST with a body. Throws on an error status. */
export async function sendRequest<T>(
  { origin }: Pick<RunningServer, 'origin'>,
  path: string,
  { body, token, cookie }: { body?: unknown; token?: string; cookie?: string } = {},
): Promise<T> {
  const headers: Record<string, string> = body === undefined ? {} : { ...JSON_TYPE };
  if (token !== undefined) headers['authorization'] = token;
  if (cookie !== undefined) headers['cookie'] = cookie;
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${origin}/api${path}`, { headers, ...init });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Sends a picture to the upload call. */
export function postPhoto(
  { origin }: Pick<RunningServer, 'origin'>,
  { _id, sessionToken }: Owner,
  bytes: Uint8Array,
): Promise<Response> {
  const body = new FormData();
  body.append('image', new Blob([new Uint8Array(bytes)]), 'me.jpg');
  body.append('_id', _id);
  const headers = { authorization: sessionToken };
  return fetch(`${origin}/api/user/uploadProfileImage`, { method: 'POST', headers, body });
}

/** Uploads a drawn portrait as the owner's photo. */
export async function uploadPhoto(server: RunningServer, owner: Owner): Promise<string> {
  const size = 600;
  const face = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">
    <linearGradient id="g" x2="0" y2="1"><stop stop-color="#c9b8a6"/><stop offset="1" stop-color="#8a7565"/></linearGradient>
    <rect width="100%" height="100%" fill="url(#g)"/><circle cx="300" cy="245" r="120" fill="#7a4a33"/>
    <path d="M70 600c20-160 120-220 230-220s210 60 230 220" fill="#23303f"/></svg>`;
  const bytes = await sharp(Buffer.from(face)).jpeg().toBuffer();
  const response = await postPhoto(server, owner, bytes);
  if (!response.ok) throw new Error(`The upload failed: ${response.status}`);
  return ((await response.json()) as { profilePhoto: string }).profilePhoto;
}

/** Makes a call of the account for an owner. Throws on an error status. */
export const sendAccountRequest = (
  server: Pick<RunningServer, 'origin'>,
  name: string,
  { owner, body }: { readonly owner: Owner; readonly body: unknown },
) => sendRequest(server, `/account/${name}/${owner._id}`, { body, token: owner.sessionToken });

/** Verifies the login phone, or that of the body, a ten-digit Indian number. */
async function verifyOwner(
  server: Server,
  { _id, sessionToken, deviceCookie = '' }: Owner,
  { phone, body = {} }: { readonly phone: string; readonly body?: object },
) {
  const call = { body, token: sessionToken, cookie: deviceCookie };
  const sent = sendRequest<{ challenge: string }>(server, `/otp/sendOwnerCode/${_id}`, call);
  return verifyCode(server, phone, (await sent).challenge);
}

/** Sets the UPI ID of a card, with the ten digits of the login phone. */
export async function saveUpi(
  server: Server,
  owner: Owner,
  { phone, upi }: { readonly phone: string; readonly upi: string },
): Promise<void> {
  const { token } = await verifyOwner(server, owner, { phone });
  const call = { token: owner.sessionToken, body: { upi, token } };
  await sendRequest(server, `/user/${owner._id}/extras`, call);
}

/**
 * Changes an owner's login phone between ten-digit Indian numbers, then deletes the account on another
 * node. The browser that has verified a number gets the next code without a pause.
 */
export async function changePhoneAndDelete(
  { sender, other }: Readonly<Record<'sender' | 'other', RunningServer>>,
  owner: Owner,
  [previous, phone]: readonly [string, string],
): Promise<void> {
  const verify = (number: string, deviceCookie: string, body: object) =>
    verifyOwner(sender, { ...owner, deviceCookie }, { phone: number, body });
  const { token: present } = await verify(previous, owner.deviceCookie ?? '', {});
  const next = await verify(phone, '', { phone });
  const tokens = { token: present, newToken: next.token };
  await sendAccountRequest(other, 'changePhone', { owner, body: tokens });
  const { token } = await verify(phone, next.deviceCookie, {});
  await sendAccountRequest(other, 'deleteAccount', { owner, body: { token } });
}

/** Writes an owner's session and device cookie to the page's storage, as a login does. */
export async function storeSession(page: Page, server: RunningServer, owner: Owner): Promise<void> {
  const { _id, sessionToken, deviceCookie } = owner;
  const [name, value] = deviceCookie?.split('=') ?? [];
  if (name !== undefined && value !== undefined) {
    const domain = new URL(server.origin).hostname;
    await page.context().addCookies([{ name, value, domain, path: '/api/otp' }]);
  }
  await page.goto(`${server.origin}/healthz`);
  const session = { _id, sessionToken, signedIn: 'true' };
  await page.evaluate((entries) => void Object.assign(localStorage, entries), session);
}

/** A page of a browser, the server that it opens, and a phone that no other test uses. */
export interface Visit {
  readonly page: Page;
  readonly server: RunningServer;
  readonly phone: string;
}

/** Creates an owner with a card and stores the session in the page's browser, as a login does. */
export async function signInOwner(
  { page, server, phone }: Visit,
  card: Record<string, unknown>,
): Promise<Owner> {
  const owner = await createOwner(server, phone, card);
  await storeSession(page, server, owner);
  return owner;
}
