import { join } from 'node:path';

import type { InjectOptions, LightMyRequestResponse } from 'fastify';

import { countVisitPath } from '#contract/analytics.ts';
import { addContact } from '#contract/contact.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import { VISIT_DAYS_MAX } from '#domain/visit.ts';
import { buildApp } from '#server/app.ts';
import { systemClock } from '#server/clock.ts';
import { createDependencies } from '#server/dependencies.ts';
import { readWebFiles } from '#server/adapter/html/web-files.ts';
import { embeddedProvider } from '#server/adapter/otp/providers.ts';
import { API_PREFIX } from '#server/http/route.ts';
import { readSettings } from '#server/settings/settings.ts';

import { renderFace, DEMO_OWNERS, VISITOR_COUNT, demoVisitor } from './people.ts';
import type { DemoOwner } from './people.ts';

export { DEMO_OWNERS };
export const DEMO_CODE = '123456';
/** In E.164. The owner of the first phone has contacts and visits. */
export const DEMO_PHONES = DEMO_OWNERS.map(({ phone }) => phone);

const CONTACT_COUNT = 180;
const NEWEST_CONTACT_AGE_MS = 20 * MINUTE_MS;
const VISITORS_PER_DAY_MAX = 14;
const WEEKEND_SHARE = 0.4;
const USER_AGENT =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';

export async function fillDemo(): Promise<string> {
  const settings = readSettings(process.env);
  const dependencies = await createDependencies(settings, {
    web: await readWebFiles(join(import.meta.dirname, '..', 'web')),
    decodeWorker: join(import.meta.dirname, 'decode-worker.js'),
  });
  const now = systemClock.now();
  const clock = { time: now, now: () => clock.time };
  const { database } = dependencies;
  const provider = embeddedProvider(settings);
  const app = buildApp(settings, { ...dependencies, clock, provider });
  try {
    return await seedDemo(app, { clock, now, port: settings.port });
  } finally {
    clock.time = now;
    await app.close();
    dependencies.decoder.close();
    dependencies.renderer.close();
    await database.close();
  }
}

/** Fills the service through its own calls. The contacts and visits of the first owner end at `now`. */
async function seedDemo(
  app: ReturnType<typeof buildApp>,
  { clock, now, port }: Omit<Demo, 'send'> & { readonly port: number },
): Promise<string> {
  const send: Send = async (path, options) => {
    const { headers } = options;
    const response = await app.inject({
      url: API_PREFIX + path,
      method: 'POST',
      ...options,
      // The contacts of a table have the links of cards.
      headers: { ...headers, host: `localhost:${port}` },
    });
    if (response.statusCode === 200) return response;
    throw new Error(`The demo was not filled: ${path} answered ${response.body}`);
  };
  const demo = { send, clock, now };
  // The owners sign in long before `now`, so that the limits on codes have ended when the demo starts.
  clock.time = now - VISIT_DAYS_MAX * DAY_MS;
  const ids: string[] = [];
  for (const owner of DEMO_OWNERS) ids.push(await createOwner(demo, owner));
  const [first = ''] = ids;
  await addContacts(demo, first);
  await addVisits(demo, first);
  await startTable(demo);
  return first;
}

type Session = Readonly<Record<'_id' | 'sessionToken', string>>;

type Send = (path: string, options: InjectOptions) => Promise<Pick<LightMyRequestResponse, 'json'>>;

interface Demo {
  readonly send: Send;
  readonly clock: { time: number };
  readonly now: number;
}

const poster =
  ({ send }: Demo, authorization = '') =>
  (path: string, payload: object) =>
    send(path, { payload, headers: { authorization } });

async function verify(demo: Demo, sent: Awaited<ReturnType<Send>>): Promise<string> {
  const { challenge } = sent.json<{ challenge: string }>();
  const verified = await poster(demo)('/otp/verify', { challenge, code: DEMO_CODE });
  return verified.json<{ token: string }>().token;
}

async function signIn(demo: Demo, phone: string): Promise<Session> {
  const sent = await poster(demo)('/otp/send', { appId: 'tessera', phone });
  const authorization = await verify(demo, sent);
  const options = { method: 'GET', headers: { authorization } } as const;
  return (await demo.send('/user/authenticate/phone', options)).json<Session>();
}

async function createOwner(
  demo: Demo,
  { phone, address, card, extras, face }: DemoOwner,
): Promise<string> {
  const { _id, sessionToken } = await signIn(demo, phone);
  const post = poster(demo, sessionToken);
  await post(`/user/updateUser/${_id}`, card);
  await post(`/user/${_id}/address`, { name: address });
  demo.clock.time += MINUTE_MS;
  const token = await verify(demo, await post(`/otp/sendOwnerCode/${_id}`, {}));
  await post(`/user/${_id}/extras`, { ...extras, token });
  const form = new FormData();
  form.append('_id', _id);
  form.append('image', new Blob([new Uint8Array(await renderFace(face))]), 'face.jpg');
  await post('/user/uploadProfileImage', form);
  return _id;
}

const TABLE_VISITORS = 4;
/** The sessions of the first day have ended, and the limits on codes end within this time. */
const SIGN_IN_AGE_MS = 2 * HOUR_MS;

/** Two owners and four visitors sit at a table that has just been started. */
async function startTable(demo: Demo): Promise<void> {
  demo.clock.time = demo.now - SIGN_IN_AGE_MS;
  const [first, second] = [
    await signIn(demo, DEMO_PHONES[0] ?? ''),
    await signIn(demo, DEMO_PHONES[2] ?? ''),
  ];
  demo.clock.time = demo.now;
  const started = await poster(demo, first.sessionToken)(`/table/createTable/${first._id}`, {
    name: 'Design week, Pune',
  });
  const { table } = started.json<{ table: string }>();
  await poster(demo, second.sessionToken)('/table/joinTable', { table });
  for (let position = 0; position < TABLE_VISITORS; position += 1) {
    // The people stand in the order in which they joined.
    demo.clock.time += 1;
    await poster(demo)('/table/joinTable', { table, contact: demoVisitor(position) });
  }
}

/** The IP addresses belong to a network for documentation (RFC 5737). */
const addressOf = (position: number) => `198.51.100.${String(1 + (position % 254))}`;

async function addContacts({ send, clock, now }: Demo, userID: string): Promise<void> {
  for (let position = 0; position < CONTACT_COUNT; position += 1) {
    // The gaps between contacts grow towards the past.
    const ageMs =
      ((CONTACT_COUNT - 1 - position) / CONTACT_COUNT) ** 2 * (VISIT_DAYS_MAX - 1) * DAY_MS;
    clock.time = Math.round(now - NEWEST_CONTACT_AGE_MS - ageMs);
    const contact = demoVisitor((position * 7) % VISITOR_COUNT);
    const payload = { userID, contact };
    await send(addContact.path, { payload, remoteAddress: addressOf(position) });
  }
}

async function addVisits({ send, clock, now }: Demo, userId: string): Promise<void> {
  let visitor = 0;
  for (let daysAgo = VISIT_DAYS_MAX - 1; daysAgo >= 0; daysAgo -= 1) {
    const start = now - daysAgo * DAY_MS - HOUR_MS;
    for (let count = visitorCountOn(start, daysAgo); count > 0; count -= 1) {
      clock.time = start;
      visitor += 1;
      const options = { headers: { 'user-agent': USER_AGENT }, remoteAddress: addressOf(visitor) };
      for (const kind of kindsOf(visitor)) await send(`${countVisitPath(userId)}${kind}`, options);
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
