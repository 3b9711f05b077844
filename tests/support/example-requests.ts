import { generateKeyPairSync } from 'node:crypto';

import type { InjectOptions } from 'fastify';
import * as z from 'zod/mini';

import { deleteAccount } from '#contract/account.ts';
import { bringIn } from '#contract/bring-in.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { HOUR_MS } from '#domain/duration.ts';
import { EXTRAS } from '#domain/extras.ts';
import { TRANSLATION_LANGUAGES } from '#domain/language/language.ts';
import { VIEWS } from '#domain/page.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { API_PREFIX } from '#server/http/route.ts';

import { exchangeToken, photoForm, verifyPhone } from './app.ts';
import type { TestApp } from './app.ts';
import { testPhone, requestCode } from './codes.ts';
import { ENDPOINTS } from './endpoints.ts';
import type { JsonSchema } from './json-schema.ts';
import { cookieHeader } from './cookies.ts';
import { createAuthenticator, createBrowser } from './passkey.ts';
import { twoHalves } from './picture.ts';
import { newSubscription } from './push-service.ts';

/** Every endpoint of the contract. The one that deletes the account comes last. */
export const EXAMPLE_ENDPOINTS = ENDPOINTS.filter(
  // A request for a stream would not end.
  ({ replyType }) => replyType !== 'text/event-stream',
).toSorted((one, other) => Number(one === deleteAccount) - Number(other === deleteAccount));

/** With these settings, every endpoint exists. */
export const EXAMPLE_ENVIRONMENT = {
  DORMANT_DAYS: '90',
  VIEWS: VIEWS.join(','),
  CONNECT_NOTICE: 'dpdp',
  DPDP_CONTACT: 'Meera Iyer, privacy@example.com',
  CARD_EXTRAS: EXTRAS.join(','),
  LANGUAGES: TRANSLATION_LANGUAGES.join(','),
  GOOGLE_WALLET_ISSUER_ID: '3388000000012345678',
  GOOGLE_WALLET_ACCOUNT: 'wallet@project.iam.gserviceaccount.com',
  GOOGLE_WALLET_KEY: generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString(),
};

/** The id of the table that the owner has started. */
const TABLE = '0123456789';

type ExampleOwner = Readonly<Record<'userId' | 'newestContact' | 'oldestContact', string>>;

type Resolved = Readonly<Record<'params' | 'query', Record<string, string>>> & { body: object };

/** Example values by the name of their field. A function makes a new value for each request. */
type Texts = Readonly<Record<string, readonly unknown[]>>;

function textsOf(testApp: TestApp, owner: ExampleOwner): Texts {
  let phones = 0;
  const newPhone = () => testPhone((phones += 1));
  let code = '';
  let exports = 0;
  const requestChallenge = async () => {
    const { challenge, right } = await requestCode(testApp, { phone: newPhone() });
    code = right.code;
    return challenge;
  };
  const { endpoint, keys } = newSubscription('https://push.example.com/1').json;
  return {
    id: [owner.userId],
    userID: [owner.userId],
    contact: [owner.oldestContact],
    contacts: [owner.oldestContact],
    table: [TABLE],
    person: [TABLE],
    before: [undefined, owner.newestContact],
    after: [undefined, owner.oldestContact],
    search: ['', 'nobody'],
    // One alternating value instead of a list of two keeps the number of exports within their limit.
    tag: [() => ['', 'text'][(exports += 1) % 2]],
    clientId: ['7c0f3a52-9d1b-4e68-8a30-5b1f2d6c9e47'],
    timeZone: ['Asia/Kolkata'],
    // The id of a contact on another server.
    'contacts.id': ['0mc3k5a00000abcdefghi'],
    ticket: [() => createTicket(testApp, owner)],
    receivedAt: ['2026-01-01T00:00:00.000Z'],
    hue: [20],
    swatch: [undefined],
    upi: ['asha@okaxis'],
    gstin: ['27AAPFU0939F1ZV'],
    notice: [''],
    website: [''],
    subject: [''],
    url: ['https://example.com/hook'],
    replaces: [undefined],
    appId: ['tessera'],
    phone: [newPhone],
    challenge: [requestChallenge],
    code: [() => code],
    token: [() => createToken(testApp, owner)],
    newToken: [() => createToken(testApp, owner, newPhone())],
    endpoint: [endpoint],
    p256dh: [keys.p256dh],
    auth: [keys.auth],
  };
}

const startTable = ({ clock, dependencies }: TestApp, { userId }: ExampleOwner) =>
  dependencies.database.run(sql`INSERT INTO shared_tables (id, user_id, name, ends_at)
    VALUES (${TABLE}, ${userId}, 'Table', ${clock.now() + HOUR_MS}) ON CONFLICT DO NOTHING`);

async function createToken(testApp: TestApp, { userId }: ExampleOwner, phone?: string) {
  const owner = await testApp.dependencies.database.one<{ login_phone: string }>(
    sql`SELECT login_phone FROM users WHERE id = ${userId}`,
  );
  return verifyPhone(testApp, phone ?? owner?.login_phone ?? '');
}

/** Brings in an archive without anything, and returns the ticket for its contacts. */
async function createTicket(testApp: TestApp, owner: ExampleOwner): Promise<string> {
  const { sessionToken } = await exchangeToken(testApp, await createToken(testApp, owner));
  const response = await testApp.app.inject({
    method: 'POST',
    url: `${API_PREFIX}${bringIn.path.replace(':id', owner.userId)}`,
    headers: { authorization: sessionToken },
    payload: { token: await createToken(testApp, owner) },
  });
  return response.json<{ ticket: string }>().ticket;
}

/** Returns one value of the schema for each combination of enumerated values, booleans and `texts`. */
function valuesOf(schema: JsonSchema, texts: Texts, name = ''): readonly unknown[] {
  if (schema.properties) {
    let objects: Record<string, unknown>[] = [{}];
    for (const [key, property] of Object.entries(schema.properties)) {
      const longName = `${name}.${key}`;
      const values = valuesOf(property, texts, longName in texts ? longName : key);
      objects = objects.flatMap((object) => values.map((value) => ({ ...object, [key]: value })));
    }
    return objects;
  }
  if (schema.enum) return schema.enum;
  // The order matters, because a contact is restored after its deletion.
  if (schema.type === 'boolean') return [true, false];
  if (schema.type === 'integer') return [schema.maximum];
  if (schema.items) return valuesOf(schema.items, texts, name).map((one) => [one]);
  // A field without example values gets null if the schema has alternatives.
  return texts[name] ?? (schema.anyOf ? [null] : ['text']);
}

/** Replaces functions by their results, one after another, and removes undefined values. */
async function resolve(value: unknown): Promise<unknown> {
  if (typeof value === 'function') return (value as () => unknown)();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries: [string, unknown][] = [];
  for (const [key, one] of Object.entries(value)) {
    if (one !== undefined) entries.push([key, await resolve(one)]);
  }
  return Object.fromEntries(entries);
}

/** Returns the headers and the body of a call that has the answer of a passkey, or null for other calls. */
async function passkeyRequest(testApp: TestApp, owner: ExampleOwner, { path }: Endpoint) {
  if (!/asskey/.test(path)) return null;
  const { sessionToken } = await exchangeToken(testApp, await createToken(testApp, owner));
  const browser = createBrowser(testApp, { _id: owner.userId, sessionToken });
  const headers = () => ({
    authorization: sessionToken,
    cookie: cookieHeader(browser.jar),
    host: 'localhost',
  });
  const authenticator = createAuthenticator(owner.userId);
  const token = await createToken(testApp, owner);
  if (path.endsWith('/addPasskey')) {
    const credential = authenticator.create({ challenge: await browser.newOwnChallenge() });
    return { headers: headers(), payload: { token, credential } };
  }
  if (!/[vV]erify|removePasskey/.test(path)) return { headers: headers() };
  await browser.add(authenticator, token);
  if (path.endsWith('/removePasskey')) {
    const payload = { passkey: authenticator.id, token: await createToken(testApp, owner) };
    return { headers: headers(), payload };
  }
  const payload = authenticator.get({ challenge: await browser.newChallenge() });
  return { headers: headers(), payload };
}

/** Returns the body of a call that needs the token of a dormant account's number, or null for other calls. */
async function newCardRequest(testApp: TestApp, { path }: Endpoint, phone: string) {
  if (!path.endsWith('/startNewCard')) return null;
  const { _id } = await exchangeToken(testApp, await verifyPhone(testApp, phone));
  await testApp.dependencies.database.run(sql`UPDATE users SET used_at = 0 WHERE id = ${_id}`);
  return { payload: { token: await verifyPhone(testApp, phone) } };
}

/** Returns a generator of valid requests, one for each combination of values, each with a session of its own. */
export function createExampleRequests(testApp: TestApp, owner: ExampleOwner) {
  const texts = textsOf(testApp, owner);
  const [newPhone] = texts['phone'] as [() => string];
  const objects = (schema: Endpoint['body']) =>
    schema === undefined || schema === 'multipart'
      ? [{}]
      : valuesOf(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema, texts);

  return async function* requestsFor(
    endpoint: Endpoint,
  ): AsyncGenerator<{ name: string; options: InjectOptions }> {
    const { method, path, access } = endpoint;
    const inputs = objects(endpoint.params).flatMap((params) =>
      objects(endpoint.query).flatMap((query) =>
        objects(endpoint.body).map((body) => ({ params, query, body })),
      ),
    );
    const picture = await twoHalves({ width: 120, height: 120 }).png().toBuffer();
    for (const input of inputs) {
      if (path.includes('/table')) await startTable(testApp, owner);
      const form = photoForm(owner.userId, picture);
      const { params, query, body } = (await resolve(input)) as Resolved;
      // An open call gets the token itself, because it may be the one that exchanges a token for a session.
      const isOpen = access === 'open';
      const created = await createToken(testApp, owner);
      const token = isOpen ? created : (await exchangeToken(testApp, created)).sessionToken;
      yield {
        name: `${method} ${path} ${JSON.stringify({ ...query, ...body })}`,
        options: {
          method,
          url: API_PREFIX + path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? ''),
          query,
          headers: { authorization: token },
          ...(method === 'GET' ? {} : { payload: endpoint.body === 'multipart' ? form : body }),
          ...(await passkeyRequest(testApp, owner, endpoint)),
          ...(await newCardRequest(testApp, endpoint, newPhone())),
        },
      };
    }
  };
}
