import type { Page } from '@playwright/test';
import sharp from 'sharp';

import type { RunningServer } from './server.ts';

export interface Owner {
  readonly _id: string;
  readonly sessionToken: string;
  /** The device cookie as `name=value`. With it, the browser of `storeSession` is a known device. */
  readonly deviceCookie?: string;
}

type Origin = Pick<RunningServer, 'origin'>;
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

/** The extras that CARD_EXTRAS=all adds to the full card, except for the UPI ID. */
export const FULL_EXTRAS = {
  phone: '080 2222 3333',
  email: 'studio@rao-partners.example',
  links: [
    { label: 'Book an appointment', url: 'https://cal.example/asha-rao' },
    { label: 'Price list', url: 'https://www.rao-partners.example/prices' },
    { label: 'Review us on Google', url: 'https://g.page/r/rao-partners/review' },
  ],
  gstin: '27AAPFU0939F1ZV',
  address: '12 Lavelle Road\nBengaluru 560001',
};

/** The lines of the full card's vCard, except for the last one. */
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

/** Signs in without a browser. The phone is an Indian number of ten digits. */
export async function signInByPhone(server: Server, phone: string): Promise<Owner> {
  const { token, deviceCookie } = await verifyCode(server, phone, await sendCode(server, phone));
  return {
    ...(await sendRequest<Owner>(server, '/user/authenticate/phone', { token })),
    deviceCookie,
  };
}

export async function createOwner(
  server: Server,
  phone: string,
  card: Record<string, unknown> = {},
): Promise<Owner> {
  const owner = await signInByPhone(server, phone);
  const call = { body: card, token: owner.sessionToken };
  await sendRequest(server, `/user/updateUser/${owner._id}`, call);
  return owner;
}

export async function sendCode(server: Origin, phone: string) {
  const body = { appId: 'tessera', phone };
  return (await sendRequest<{ challenge: string }>(server, '/otp/send', { body })).challenge;
}

/** Exchanges the newest code of a phone for a token of the provider. */
async function verifyCode(server: Server, phone: string, challenge: string) {
  const body = { challenge, code: await server.codeFor(`+91${phone}`) };
  const response = await send(server, '/otp/verify', { body });
  const { token } = (await response.json()) as { token: string };
  return { token, deviceCookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

interface Call {
  readonly body?: unknown;
  readonly token?: string;
  readonly cookie?: string;
}

async function send({ origin }: Origin, path: string, { body, token, cookie }: Call) {
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: token }),
    ...(cookie === undefined ? {} : { cookie }),
  };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${origin}/api${path}`, { headers, ...init });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** Makes a call, which is a POST if it has a body. Throws on an error status. */
export const sendRequest = async <T>(server: Origin, path: string, call: Call = {}) =>
  (await (await send(server, path, call)).json()) as T;

export function postPicture(
  { origin }: Origin,
  { _id, sessionToken }: Owner,
  { path, bytes }: { readonly path: string; readonly bytes: Uint8Array },
) {
  const body = new FormData();
  body.append('image', new Blob([new Uint8Array(bytes)]), 'me.jpg');
  body.append('_id', _id);
  const headers = { authorization: sessionToken };
  return fetch(`${origin}/api/user/${path}`, { method: 'POST', headers, body });
}

export const postPhoto = (server: Origin, owner: Owner, bytes: Uint8Array) =>
  postPicture(server, owner, { path: 'uploadProfileImage', bytes });

export async function uploadPhoto(server: Origin, owner: Owner): Promise<string> {
  const face = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600">
    <linearGradient id="g" x2="0" y2="1"><stop stop-color="#c9b8a6"/><stop offset="1" stop-color="#8a7565"/></linearGradient>
    <rect width="100%" height="100%" fill="url(#g)"/><circle cx="300" cy="245" r="120" fill="#7a4a33"/>
    <path d="M70 600c20-160 120-220 230-220s210 60 230 220" fill="#23303f"/></svg>`;
  const response = await postPhoto(server, owner, await sharp(Buffer.from(face)).jpeg().toBuffer());
  if (!response.ok) throw new Error(`The upload failed: ${response.status}`);
  return ((await response.json()) as { profilePhoto: string }).profilePhoto;
}

/** Verifies the phone of the body, or the login phone if it has none. `phone` is that number in ten digits. */
export async function verifyOwner(
  server: Server,
  { _id, sessionToken: token, deviceCookie: cookie = '' }: Owner,
  { phone, body = {} }: { readonly phone: string; readonly body?: object },
) {
  const path = `/otp/sendOwnerCode/${_id}`;
  const sent = await sendRequest<{ challenge: string }>(server, path, { body, token, cookie });
  return verifyCode(server, phone, sent.challenge);
}

/** Sets the UPI ID of a card. `phone` is the login phone in ten digits. */
export async function saveUpi(
  server: Server,
  owner: Owner,
  { phone, upi }: Readonly<Record<'phone' | 'upi', string>>,
): Promise<void> {
  const { token } = await verifyOwner(server, owner, { phone });
  const call = { token: owner.sessionToken, body: { upi, token } };
  await sendRequest(server, `/user/${owner._id}/extras`, call);
}

/** Writes an owner's session and device cookie to the page's storage, as a login does. */
export async function storeSession(page: Page, { origin }: Origin, owner: Owner): Promise<void> {
  const { _id, sessionToken, deviceCookie } = owner;
  const [name, value] = deviceCookie?.split('=') ?? [];
  if (name !== undefined && value !== undefined) {
    const domain = new URL(origin).hostname;
    await page.context().addCookies([{ name, value, domain, path: '/api/otp' }]);
  }
  await page.goto(`${origin}/healthz`);
  const session = { _id, sessionToken, signedIn: 'true' };
  await page.evaluate((entries) => void Object.assign(localStorage, entries), session);
}
