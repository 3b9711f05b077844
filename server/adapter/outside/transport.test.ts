import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';

import { expect, onTestFinished, test, vi } from 'vitest';

import { VERSION } from '#server/version.ts';
import { makeCertificate } from '#tests/support/certificate.ts';
import { newFolder } from '#tests/support/folder.ts';
import { HOSTILITIES, startHostileReceiver } from '#tests/support/hostile-receiver.ts';
import type { Hostility } from '#tests/support/hostile-receiver.ts';
import { close, freePort, listen } from '#tests/support/port.ts';
import { startPushService } from '#tests/support/push-service.ts';
import { words } from '#tests/support/words.ts';

import type { NoResponseError } from './exchange.ts';
import {
  EndpointBlocked,
  createTransport,
  isPublicAddress,
  isPublicEndpoint,
} from './transport.ts';

test('address: only those of the public internet are public', () => {
  const inside = words(`0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 168.63.129.16
    169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.168.1.1 198.18.0.1
    224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::7f00:1 1::1 ::ffff:10.0.0.1
    ::ffff:7f00:1 64:ff9b::a00:1 64:ff9b:1::a00:1 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2
    2001:db8::1 2002:a00:1::1 3fff::1 4000::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1
    ff02::1 localhost`);
  const outside = words('8.8.8.8 172.32.0.1 2607:f8b0::1 ::ffff:8.8.8.8');
  expect([...inside, '', ...outside].filter(isPublicAddress)).toEqual(outside);
});

test('endpoint: only https of a name is an address of a push service', () => {
  const others = words(`http://push.example.com/1 https://push.example.com:8443/1
    https://push.example.com:80/1 https://user@push.example.com/1 https://:secret@push.example.com/1
    https://localhost/1 https://localhost./1 https://postgres/1 https://127.0.0.1/1 https://8.8.8.8/1
    https://2130706433/1 https://0x7f000001/1 https://0177.0.0.1/1 https://127.1/1
    https://127.0.0.1./1 https://１２７.0.0.1/1 https://[::1]/1 https://[::ffff:127.0.0.1]/1
    https://[2607:f8b0::1]/1 ftp://push.example.com/1 file:///etc/passwd javascript:alert(1)
    //push.example.com/1 https://${'a.'.repeat(130)}example/1`);
  const services = words(`https://fcm.googleapis.com/fcm/send/abc:def https://web.push.apple.com/abc
    https://updates.push.services.mozilla.com/wpush/v2/abc https://example.com/1
    https://wns2-par02p.notify.windows.com/w/?token=abc%3d`);
  expect([...others, '', ...services].filter((text) => isPublicEndpoint(text))).toEqual(services);
  expect(isPublicEndpoint('https://push.example.com:8443/1', true)).toBe(true);
});

const headers = {};
const { signal } = new AbortController();
const REQUEST = { endpoint: 'https://push.example.com/1', headers, body: Buffer.from('x'), signal };

test('transport: does not connect to a name with only private addresses, nor to an address that was stored earlier', async () => {
  for (const addresses of [['127.0.0.1'], ['10.1.2.3', '::1'], []]) {
    const { send } = createTransport({ resolveName: async () => addresses });
    await expect(send(REQUEST), String(addresses)).rejects.toThrow(EndpointBlocked);
  }
  const { send } = createTransport({ testOrigin: 'http://127.0.0.1:2' });
  const stored = send({ ...REQUEST, endpoint: 'http://127.0.0.1:1/created' });
  await expect(stored).rejects.toThrow(EndpointBlocked);
});

test('transport: connects to the address that it has checked, with one lookup', async () => {
  const resolveName = vi.fn(async () => ['127.0.0.1']);
  resolveName.mockResolvedValueOnce(['203.0.114.1', '10.0.0.1']);
  const { send } = createTransport({ resolveName, timeoutMs: 200 });
  // The address does not answer, or the network has no route to it.
  await expect(send(REQUEST)).rejects.not.toThrow(EndpointBlocked);
  expect(resolveName.mock.calls).toEqual([['push.example.com']]);
});

test('transport: follows no redirect, and waits for no late response', async () => {
  const service = await startPushService();
  onTestFinished(() => service.close());
  const { send } = createTransport({ testOrigin: service.origin, timeoutMs: 300 });
  const reply = (kind: string) => send({ ...REQUEST, endpoint: `${service.origin}/${kind}` });
  expect(await reply('redirect')).toMatchObject({ status: 307, retryAfter: undefined });
  await expect(reply('hang')).rejects.toThrow('time-out');
  expect(service.pathsOf()).toEqual(['/redirect', '/hang']);
  expect(service.received[0]?.headers['user-agent']).toBe(`Tessera/${VERSION}`);
});

const OUTCOMES: Record<Hostility, number | string> = {
  'switches protocols': 101,
  'floods 100 Continue': 'no response',
  'floods 103 Early Hints': 'no response',
  'sends headers without an end': 'time-out',
  'sends an endless body': 200,
  'stops in its body': 200,
  'resets in its body': 200,
  resets: 'no response',
  closes: 'no response',
  'is silent': 'time-out',
};

test.each(Object.keys(HOSTILITIES) as Hostility[])(
  'transport: settles and closes the connection when a receiver %s',
  async (hostility) => {
    const receiver = await startHostileReceiver(hostility);
    onTestFinished(receiver.close);
    const { send } = createTransport({ testOrigin: receiver.origin, timeoutMs: 500 });
    const sent = send({ ...REQUEST, endpoint: `${receiver.origin}/1` });
    const outcome = await sent.then(
      ({ status }) => status,
      (error: NoResponseError) => error.reason,
    );
    expect(outcome).toBe(OUTCOMES[hostility]);
    await vi.waitUntil(() => receiver.openConnections() === 0);
  },
);

test.each(['is silent', 'stops in its body'] as const)(
  'transport: a signal ends a request at once when a receiver %s, and leaves no listener',
  async (hostility) => {
    const receiver = await startHostileReceiver(hostility);
    onTestFinished(receiver.close);
    const { send } = createTransport({ testOrigin: receiver.origin });
    const stopping = new AbortController();
    const request = { ...REQUEST, endpoint: `${receiver.origin}/1`, signal: stopping.signal };
    const sent = send(request).catch((error: NoResponseError) => error.reason);
    await vi.waitUntil(() => receiver.openConnections() === 1);
    stopping.abort();
    await sent;
    expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
    await expect(send(request)).rejects.toThrow('no response');
  },
);

test('transport: reads the whole body before it closes, up to 64 KiB', async () => {
  for (const [sizeBytes, isRead] of [
    [64 * 1024, true],
    [8_000_000, false],
  ] as const) {
    let isWritten = false;
    const server = createServer((_, response) => {
      response.on('finish', () => (isWritten = true));
      response.writeHead(200).end('x'.repeat(sizeBytes));
    });
    const origin = await listen(server);
    onTestFinished(() => close(server));
    const endpoint = `${origin}/1`;
    const { send } = createTransport({ testOrigin: origin });
    expect(await send({ ...REQUEST, endpoint })).toMatchObject({ status: 200 });
    expect([sizeBytes, isWritten]).toEqual([sizeBytes, isRead]);
  }
});

const reasonOf = (options: Parameters<typeof createTransport>[0], endpoint: string) =>
  createTransport({ timeoutMs: 300, ...options })
    .send({ ...REQUEST, endpoint })
    .then(
      ({ status }) => status,
      (error: NoResponseError) => error.reason,
    );

test('transport: tells apart why there was no response, but not a name of the network from an unknown one', async () => {
  const named = (resolveName: () => Promise<string[]>) =>
    reasonOf({ resolveName }, 'https://crm.example.com/1');
  const failing = (code: string) =>
    named(() => Promise.reject(Object.assign(Error(code), { code })));
  const names = [
    named(async () => ['10.0.0.1']),
    named(async () => []),
    reasonOf({}, 'https://127.0.0.1/1'),
    // The last one is the error of a name server that cannot be reached.
    ...['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED'].map(failing),
  ];
  expect(new Set(await Promise.all(names))).toEqual(new Set(['name not found']));
  const closed = `http://127.0.0.1:${await freePort()}`;
  expect(await reasonOf({ testOrigin: closed }, `${closed}/1`)).toBe('connection refused');
  const files = makeCertificate(newFolder());
  const tls = { cert: readFileSync(files.certificate), key: readFileSync(files.key) };
  const server = createHttpsServer(tls, (_, response) => response.end());
  const origin = (await listen(server)).replace('http:', 'https:');
  onTestFinished(() => close(server));
  expect(await reasonOf({ testOrigin: origin }, `${origin}/1`)).toBe('certificate not valid');
});
