import { afterAll, beforeAll, expect, test } from 'vitest';

import { startPushService } from '#tests/support/push-service.ts';
import type { PushService } from '#tests/support/push-service.ts';
import { words } from '#tests/support/words.ts';

import {
  EndpointBlocked,
  createPushTransport,
  isPublicAddress,
  isPushEndpoint,
} from './transport.ts';

test.each([
  ...words(`0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254
    172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.168.1.1 198.18.0.1 224.0.0.1 240.0.0.1
    255.255.255.255 :: ::1 ::127.0.0.1 ::7f00:1 1::1 ::ffff:10.0.0.1 ::ffff:7f00:1 64:ff9b::a00:1
    64:ff9b:1::a00:1 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1 2002:a00:1::1
    3fff::1 4000::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 localhost`),
  '',
])('address: %s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '172.32.0.1', '2607:f8b0::1', '::ffff:8.8.8.8'])(
  'address: %s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ...words(`http://push.example.com/1 https://push.example.com:8443/1 https://push.example.com:80/1
    https://user@push.example.com/1 https://:secret@push.example.com/1 https://localhost/1
    https://localhost./1 https://postgres/1 https://127.0.0.1/1 https://8.8.8.8/1
    https://2130706433/1 https://0x7f000001/1 https://0177.0.0.1/1 https://127.1/1
    https://127.0.0.1./1 https://１２７.0.0.1/1 https://[::1]/1 https://[::ffff:127.0.0.1]/1
    https://[2607:f8b0::1]/1 ftp://push.example.com/1 file:///etc/passwd javascript:alert(1)
    //push.example.com/1 https://${'a.'.repeat(130)}example/1`),
  '',
])('endpoint: %s is not an address of a push service', (endpoint) => {
  expect(isPushEndpoint(endpoint)).toBe(false);
});

test.each([
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://example.com/1',
  'https://wns2-par02p.notify.windows.com/w/?token=abc%3d',
])('endpoint: %s is one of a push service', (endpoint) => {
  expect(isPushEndpoint(endpoint)).toBe(true);
});

const REQUEST = { headers: {}, body: Buffer.from('x'), signal: new AbortController().signal };
const NAMED = 'https://push.example.com/1';

test.each([['127.0.0.1'], ['10.1.2.3', '::1'], ['169.254.169.254'], ['::ffff:192.168.0.1'], []])(
  'transport: does not connect to a name with only the addresses %s %s',
  async (...addresses) => {
    const { send } = createPushTransport({ resolveName: async () => addresses });
    await expect(send({ ...REQUEST, endpoint: NAMED })).rejects.toThrow(EndpointBlocked);
  },
);

test('transport: connects to the address that it has checked, with one lookup', async () => {
  // The second answer is never requested.
  const answers = [['203.0.114.1', '10.0.0.1'], ['127.0.0.1']];
  const lookups: string[] = [];
  const { send } = createPushTransport({
    resolveName: async (name) => {
      lookups.push(name);
      return answers.shift() ?? [];
    },
    timeoutMs: 200,
  });
  // The address does not answer, or the network has no route to it.
  await expect(send({ ...REQUEST, endpoint: NAMED })).rejects.not.toThrow(EndpointBlocked);
  expect(lookups).toEqual(['push.example.com']);
});

test('transport: an endpoint that was stored earlier is checked again', async () => {
  const { send } = createPushTransport();
  const endpoint = 'http://127.0.0.1:1/created';
  await expect(send({ ...REQUEST, endpoint })).rejects.toThrow(EndpointBlocked);
});

let service: PushService;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.close());

test('transport: follows no redirect, and reads neither an endless body nor a late response', async () => {
  const { send } = createPushTransport({ testOrigin: service.origin, timeoutMs: 300 });
  const reply = (kind: string) => send({ ...REQUEST, endpoint: `${service.origin}/${kind}` });
  expect(await reply('redirect')).toEqual({ status: 307, retryAfter: undefined });
  expect(await reply('busy')).toEqual({ status: 429, retryAfter: '120' });
  expect(await reply('endless')).toEqual({ status: 201, retryAfter: undefined });
  await expect(reply('hang')).rejects.toThrow(/./);
  expect(service.pathsOf()).toEqual(['/redirect', '/busy', '/endless', '/hang']);
});
