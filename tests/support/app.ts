import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach } from 'vitest';

import { buildApp } from '#server/app.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { embeddedProvider } from '#server/adapter/otp/providers.ts';
import { defaultCountry } from '#server/adapter/otp/phone.ts';
import { createPhoneReader } from '#server/adapter/profile/phone.ts';
import { saveTokenStatement } from '#server/adapter/otp/store.ts';
import type { Dependencies } from '#server/context.ts';
import { createRenderer } from '#server/adapter/image/renderer.ts';
import { createTransport } from '#server/adapter/outside/transport.ts';
import { decodeLogo, decodePhoto } from '#server/adapter/image/decode.ts';
import type { Decoder } from '#server/adapter/image/decoder.ts';
import { openPhotoFolder } from '#server/adapter/storage/photo-store.ts';
import { readSettings } from '#server/settings/settings.ts';
import { newToken } from '#server/token.ts';

import { openTestSqlite } from './database.ts';
import type { TestDatabase } from './database.ts';
import { closeAtEnd } from './folder.ts';
import { silentLog } from './log.ts';

export const CLOCK_START = Date.UTC(2026, 0, 15, 9);

export function fixedClock(start = CLOCK_START) {
  let time = start;
  return { now: () => time, advance: (milliseconds: number) => (time += milliseconds) };
}

const STORED_MODULES = [
  'index.html',
  'feature/edit/page.tsx',
  'feature/contact/page.tsx',
  'feature/analytics/page.tsx',
  'feature/translation/page.tsx',
  '../domain/language/ta.ts',
  '../domain/language/hi.ts',
];

export const TEST_PAGES = {
  shell:
    '<title>%PRODUCT_NAME%</title><script type="application/json" id="settings">%SETTINGS%</script>',
  storedFiles: (isUsed: (name: string) => boolean) =>
    STORED_MODULES.filter(isUsed).map((name) => `/assets/${name}.js`),
  scripts: {
    signin: '/assets/signin-0e1f.js',
    verify: '/assets/verify-7c8d.js',
    pay: '/assets/pay.js',
    table: '/assets/table.js',
  },
  photoScript: '',
};

interface Options {
  readonly environment?: Record<string, string>;
  readonly dependencies?: Partial<Dependencies>;
}

/** Decodes pictures in the test's own process, which is fast and needs no build. */
export const inProcessDecoder: Decoder = {
  check: async () => null,
  findFailure: () => null,
  decode: async (read) => decodePhoto(await read()),
  decodeLogo: async (read) => decodeLogo(await read()),
  close: () => undefined,
};

/** Builds an app for one test, with a clock that the test advances and a gateway that stores the codes. */
export function buildTestApp(
  database: Database,
  { environment = {}, dependencies = {} }: Options = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-data-'));
  const settings = readSettings({ DATA_DIR: dataDir, ...environment });
  const clock = fixedClock();
  const codes = new Map<string, string>();
  const allDependencies: Dependencies = {
    database,
    clock,
    // Each app logs to a logger of its own, because work that an earlier test has left may still log.
    log: silentLog.child({}),
    writeRequestLine: null,
    secret: 'a secret for tests that is long enough',
    sendCode: async (phone, code) => void codes.set(phone, code),
    provider: embeddedProvider(settings),
    photos: openPhotoFolder(join(dataDir, 'photos')),
    readPhone: createPhoneReader(defaultCountry(settings.otpCountries)),
    pushTransport: createTransport({ testOrigin: settings.pushTestOrigin }),
    webhookTransport: createTransport({
      testOrigin: settings.webhookTestOrigin,
      hasAnyPort: true,
    }),
    decoder: inProcessDecoder,
    renderer: createRenderer(),
    web: {
      ...TEST_PAGES,
      cardScript: 'document.title',
      receiptCardScript: 'document.title;',
      loginScript: 'document.title',
      workerScript: '',
      assets: new Map(),
    },
    ...dependencies,
  };
  const app = buildApp(settings, allDependencies);
  app.addHook('onClose', async () => {
    allDependencies.renderer.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const responses = { drop: () => undefined };
  closeAtEnd(() => app.close());
  return { app, clock, codes, dependencies: allDependencies, responses, settings };
}

export type TestApp = ReturnType<typeof buildTestApp>;

/** Creates a new database and an app on it before each test. */
export function useTestApp(open: () => Promise<TestDatabase> = openTestSqlite, options?: Options) {
  // All tests share these objects, which are filled before each test.
  const [testDatabase, database, testApp] = [{} as TestDatabase, {} as Database, {} as TestApp];
  beforeEach(async () => {
    const opened = await open();
    Object.assign(database, opened.database);
    Object.assign(testDatabase, opened, { database });
    Object.assign(testApp, buildTestApp(database, options));
  });
  return { testDatabase, database, testApp };
}

interface CallOptions {
  readonly headers?: Record<string, string>;
  readonly on?: TestApp;
  readonly as?: Session;
}

/**
 * Signs an owner in before each test. The option `as` makes a call with the session of somebody else. The
 * owner's id replaces `:id` in a path, or is appended to it.
 */
export function useOwner(testApp: TestApp) {
  const call = (path: string, options: object, own: CallOptions = {}) => {
    const { headers, on = testApp, as: { _id, sessionToken } = self() } = own;
    const [start = '', query] = path.split('?');
    const route = start.includes(':id') ? start.replace(':id', _id) : `${start}/${_id}`;
    return on.app.inject({
      url: `/api/${route}${query === undefined ? '' : `?${query}`}`,
      headers: { authorization: sessionToken, ...headers },
      ...options,
    });
  };
  const self = (): Session => owner;
  const owner = {
    _id: '',
    sessionToken: '',
    get: (path: string, options?: CallOptions) => call(path, {}, options),
    post: (path: string, payload: object = {}, options?: CallOptions) =>
      call(path, { method: 'POST', payload }, options),
    upload: (content: Uint8Array | FormData, as = self(), on = testApp) =>
      uploadByApi(on, as, content instanceof FormData ? content : photoForm(as._id, content)),
    uploadLogo: (bytes: Uint8Array) =>
      uploadLogoByApi(testApp, self(), photoForm(owner._id, bytes)),
    /** Requests the card's public page, or a file below it, such as `/contact.vcf`. */
    page: (path = '', { on = testApp, headers = {} }: CallOptions = {}) =>
      on.app.inject({ url: `/user/${owner._id}${path}`, headers }),
    card: () => testApp.app.inject(`/api/user/${owner._id}`),
    addContact: (contact: object, on = testApp) => addContactByApi(on, owner._id, contact),
  };
  beforeEach(async () => void Object.assign(owner, await signInByApi(testApp)));
  return owner;
}

export type Session = Readonly<Record<'_id' | 'sessionToken', string>>;
type App = Pick<TestApp, 'app'>;

const post = ({ app }: App, [name, authorization]: [string, string?], payload: object) =>
  app.inject({
    method: 'POST',
    url: `/api/${name}`,
    payload,
    headers: authorization ? { authorization } : {},
  });

export const addContactByApi = (testApp: App, userID: string, contact: object) =>
  post(testApp, ['profile/addContact'], { userID, contact });

export async function signInByApi(testApp: TestApp, phone = '+919876543210') {
  const { challenge } = (await post(testApp, ['otp/send'], { appId: 'tessera', phone })).json();
  const code = testApp.codes.get(phone) ?? '';
  const { token } = (await post(testApp, ['otp/verify'], { challenge, code })).json();
  return exchangeToken(testApp, token);
}

/** Returns a token of the embedded provider as if a right code was entered, but no rate limit counts it. */
export async function verifyPhone({ clock, dependencies }: TestApp, phone = '+919876543210') {
  const token = newToken();
  await dependencies.database.batch([saveTokenStatement({ token, phone, now: clock.now() })]);
  return token;
}

export const signInByToken = async (testApp: TestApp, phone?: string) =>
  exchangeToken(testApp, await verifyPhone(testApp, phone));

const EXCHANGE = '/api/user/authenticate/phone';

export const exchangeToken = async ({ app }: App, authorization: string) =>
  (await app.inject({ url: EXCHANGE, headers: { authorization } })).json<Session>();

/** Uses a provider's token forty times at once over HTTP. Returns the number of responses by status. */
export async function useTokenConcurrently({ app }: App, authorization: string) {
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const counts: Record<string, number> = {};
  const useToken = async () => {
    const { status } = await fetch(origin + EXCHANGE, { headers: { authorization } });
    counts[status] = (counts[status] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: 40 }, useToken));
  return counts;
}

export const saveByApi = (testApp: App, { _id, sessionToken }: Session, fields: object) =>
  post(testApp, [`user/updateUser/${_id}`, sessionToken], fields);

export function photoForm(userId: string, bytes: Uint8Array): FormData {
  const form = new FormData();
  form.append('image', new Blob([new Uint8Array(bytes)]), 'me.png');
  form.append('_id', userId);
  return form;
}

export const uploadByApi = (testApp: App, { sessionToken }: Partial<Session>, form: FormData) =>
  post(testApp, ['user/uploadProfileImage', sessionToken], form);
export const uploadLogoByApi = (testApp: App, { _id, sessionToken }: Session, form: FormData) =>
  post(testApp, [`user/${_id}/logo`, sessionToken], form);
