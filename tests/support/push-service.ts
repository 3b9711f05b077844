import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import type { BrowserContext } from '@playwright/test';

import { CURVE } from '#server/adapter/push/vapid.ts';

import { close, listen } from './port.ts';

/** The header contains the salt (16), the record size (4) and the length of the key (1) (RFC 8188, section 2.1). */
const HEADER_BYTES = 21;
const TAG_BYTES = 16;
const PADDING_DELIMITER = 2;

type Reply = (response: ServerResponse, origin: string) => unknown;

/** The first part of the path selects the reply. 'hang' never replies. */
const REPLIES: Readonly<Record<string, Reply | undefined>> = {
  created: (response) => response.writeHead(201, { location: '/message/1' }).end(),
  'not-found': (response) => response.writeHead(404).end(),
  gone: (response) => response.writeHead(410).end('{"error":"gone"}'),
  'too-large': (response) => response.writeHead(413).end(),
  busy: (response) => response.writeHead(429, { 'retry-after': '120' }).end(),
  broken: (response) => response.writeHead(500).end(),
  hang: () => undefined,
  redirect: (response, origin) =>
    response.writeHead(307, { location: `${origin}/created/redirected` }).end(),
  endless: (response) => {
    response.writeHead(201);
    const timer = setInterval(() => response.write('x'.repeat(64 * 1024)), 1);
    response.on('close', () => clearInterval(timer));
  },
};

export type PushService = Awaited<ReturnType<typeof startPushService>>;

/** Starts a push service on this machine. A path such as `/created/…` or `/gone/…` selects its reply. */
export async function startPushService() {
  const received: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const replies = { ...REPLIES };
  const byText = new Map<string, string>();
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body });
      const [, byBody] = [...byText].find(([text]) => body.includes(text)) ?? [];
      const kind = byBody ?? path.split('/')[1] ?? '';
      return (replies[kind] ?? replies['not-found'])?.(response, origin);
    });
  });
  const origin = await listen(server);
  return {
    origin,
    received,
    pathsOf: () => received.map(({ path }) => path),
    /** From now on, replies to one kind of path as to another. */
    replyAs: (kind: string, other: string) => void (replies[kind] = REPLIES[other]),
    /** Sets the kind of the reply to bodies that contain a text. With null, their path selects it again. */
    replyTo: (text: string, kind: string | null) =>
      void (kind === null ? byText.delete(text) : byText.set(text, kind)),
    close: () => close(server),
  };
}

/** A browser's subscription, and the key that only the browser has. */
export type TestSubscription = ReturnType<typeof newSubscription>;

export function newSubscription(endpoint: string) {
  const privateKey = createECDH(CURVE);
  const p256dh = privateKey.generateKeys('base64url', 'uncompressed');
  const auth = randomBytes(16).toString('base64url');
  return { json: { endpoint, keys: { p256dh, auth } }, privateKey };
}

/** Decrypts a message as a browser does (RFC 8291, section 3), without the product's own library. */
export function decryptPush(body: Buffer, { json, privateKey }: TestSubscription): string {
  const salt = body.subarray(0, 16);
  const keyEnd = HEADER_BYTES + (body[HEADER_BYTES - 1] ?? 0);
  const senderKey = body.subarray(HEADER_BYTES, keyEnd);
  const receiverKey = Buffer.from(json.keys.p256dh, 'base64url');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey]);
  const shared = privateKey.computeSecret(senderKey);
  const auth = Buffer.from(json.keys.auth, 'base64url');
  const key = new Uint8Array(hkdfSync('sha256', shared, auth, info, 32));
  const derive = (purpose: string, bytes: number) =>
    new Uint8Array(hkdfSync('sha256', key, salt, `Content-Encoding: ${purpose}\0`, bytes));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(body.subarray(-TAG_BYTES));
  const text = decipher.update(body.subarray(keyEnd, -TAG_BYTES));
  const padded = Buffer.concat([text, decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(PADDING_DELIMITER)).toString('utf8');
}

/** Replaces the browser's push manager by one that returns `subscription`, because headless Chromium has none. */
export async function stubPushManager(
  context: BrowserContext,
  subscription: object,
): Promise<void> {
  await context.addInitScript((json) => {
    const KEY = 'test.subscribedWith';
    const unsubscribe = async () => delete localStorage[KEY];
    const make = (key: string) => {
      const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
      const applicationServerKey = Uint8Array.from(text, (one) => one.codePointAt(0) ?? 0).buffer;
      return { options: { applicationServerKey }, toJSON: () => json, unsubscribe };
    };
    Object.assign(PushManager.prototype, {
      subscribe: async ({ applicationServerKey: key }: { applicationServerKey: string }) => {
        localStorage.setItem(KEY, key);
        return make(key);
      },
      getSubscription: async () => {
        const key = localStorage.getItem(KEY);
        return key === null ? null : make(key);
      },
    });
  }, subscription);
}
