import type { InjectOptions, LightMyRequestResponse } from 'fastify';

import { countVisit } from '#contract/analytics.ts';
import { addContact } from '#contract/contact.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import { VISIT_DAYS_MAX } from '#domain/visit.ts';
import type { buildApp } from '#server/app.ts';
import { API_PREFIX } from '#server/http/route.ts';

import { renderFace, DEMO_OWNERS, VISITOR_COUNT, demoVisitor } from './people.ts';
import type { DemoOwner } from './people.ts';

export const DEMO_CODE = '123456';

const CONTACT_COUNT = 180;
const NEWEST_CONTACT_AGE_MS = 20 * MINUTE_MS;
const VISITORS_PER_DAY_MAX = 14;
const WEEKEND_SHARE = 0.4;
const USER_AGENT =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';

export interface DemoService {
  readonly app: ReturnType<typeof buildApp>;
  readonly clock: { time: number };
}

/** Through its own calls. The contacts and visits of the first owner end at `now`. */
export async function seedDemo({ app, clock }: DemoService, now: number): Promise<string> {
  const send: Send = async (options) => {
    const response = await app.inject(options);
    if (response.statusCode === 200) return response;
    throw new Error(`The demo was not filled: ${options.url} answered ${response.body}`);
  };
  // The owners sign in long ago, so that the limits on codes have ended when the demo starts.
  clock.time = now - VISIT_DAYS_MAX * DAY_MS;
  const ids: string[] = [];
  for (const owner of DEMO_OWNERS) ids.push(await createOwner({ send, clock }, owner));
  const [first = ''] = ids;
  await addContacts({ send, clock, userId: first, now });
  await addVisits({ send, clock, userId: first, now });
  return first;
}

interface CallOptions extends InjectOptions {
  readonly url: string;
}

type Send = (options: CallOptions) => Promise<Pick<LightMyRequestResponse, 'json'>>;

async function createOwner(
  { send, clock }: Pick<DemoCard, 'send' | 'clock'>,
  { phone, address, card, extras, face }: DemoOwner,
): Promise<string> {
  const post = (url: string, payload: object, authorization = '') =>
    send({ method: 'POST', url: API_PREFIX + url, payload, headers: { authorization } });
  const verify = async (sent: Awaited<ReturnType<Send>>) => {
    const { challenge } = sent.json<{ challenge: string }>();
    const verified = await post('/otp/verify', { challenge, code: DEMO_CODE });
    return verified.json<{ token: string }>().token;
  };
  const token = await verify(await post('/otp/send', { appId: 'tessera', phone }));
  const signedIn = await send({
    url: `${API_PREFIX}/user/authenticate/phone`,
    headers: { authorization: token },
  });
  const { _id, sessionToken } = signedIn.json<{ _id: string; sessionToken: string }>();
  await post(`/user/updateUser/${_id}`, card, sessionToken);
  await post(`/user/${_id}/address`, { name: address }, sessionToken);
  clock.time += MINUTE_MS;
  const fresh = await verify(await post(`/otp/sendOwnerCode/${_id}`, {}, sessionToken));
  await post(`/user/${_id}/extras`, { ...extras, token: fresh }, sessionToken);
  const form = new FormData();
  form.append('_id', _id);
  form.append('image', new Blob([new Uint8Array(await renderFace(face))]), 'face.jpg');
  const upload = new Request('http://localhost/', { method: 'POST', body: form });
  await send({
    method: 'POST',
    url: `${API_PREFIX}/user/uploadProfileImage`,
    payload: Buffer.from(await upload.arrayBuffer()),
    headers: {
      authorization: sessionToken,
      'content-type': upload.headers.get('content-type') ?? '',
    },
  });
  return _id;
}

interface DemoCard {
  readonly send: Send;
  readonly clock: DemoService['clock'];
  readonly userId: string;
  readonly now: number;
}

/** Addresses of the network for documentation (RFC 5737). */
const addressOf = (position: number) => `198.51.100.${String(1 + (position % 254))}`;

async function addContacts({ send, clock, userId, now }: DemoCard): Promise<void> {
  for (let position = 0; position < CONTACT_COUNT; position += 1) {
    // The gaps between contacts grow towards the past.
    const ageMs =
      ((CONTACT_COUNT - 1 - position) / CONTACT_COUNT) ** 2 * (VISIT_DAYS_MAX - 1) * DAY_MS;
    clock.time = Math.round(now - NEWEST_CONTACT_AGE_MS - ageMs);
    await send({
      method: 'POST',
      url: API_PREFIX + addContact.path,
      payload: { userID: userId, contact: demoVisitor((position * 7) % VISITOR_COUNT) },
      remoteAddress: addressOf(position),
    });
  }
}

async function addVisits({ send, clock, userId, now }: DemoCard): Promise<void> {
  let visitor = 0;
  for (let daysAgo = VISIT_DAYS_MAX - 1; daysAgo >= 0; daysAgo -= 1) {
    const start = now - daysAgo * DAY_MS - HOUR_MS;
    for (let count = visitorCountOn(start, daysAgo); count > 0; count -= 1) {
      clock.time = start;
      visitor += 1;
      for (const kind of kindsOf(visitor)) {
        await send({
          method: 'POST',
          url: API_PREFIX + countVisit.path.replace(':id', userId).replace(':kind', kind),
          headers: { 'user-agent': USER_AGENT },
          remoteAddress: addressOf(visitor),
        });
      }
    }
  }
}

function visitorCountOn(time: number, daysAgo: number): number {
  const weekday = new Date(time).getUTCDay();
  const growth = 1 - daysAgo / (VISIT_DAYS_MAX * 1.5);
  const variation = 0.75 + 0.25 * Math.sin(daysAgo * 1.7);
  const share = weekday === 0 || weekday === 6 ? WEEKEND_SHARE : 1;
  return Math.max(1, Math.round(VISITORS_PER_DAY_MAX * growth * variation * share));
}

function kindsOf(visitor: number): readonly string[] {
  const kinds = ['Open'];
  if (visitor % 3 === 0) kinds.push('Open');
  if (visitor % 5 < 2) kinds.push('Save');
  if (visitor % 6 === 0) kinds.push('Connect');
  if (visitor % 9 === 0) kinds.push('Call');
  if (visitor % 13 === 0) kinds.push('Email');
  if (visitor % 4 === 0) kinds.push('LinkedIn');
  if (visitor % 7 === 0) kinds.push('Instagram');
  if (visitor % 11 === 0) kinds.push('Website');
  if (visitor % 8 === 0) kinds.push('UPI');
  return kinds;
}
