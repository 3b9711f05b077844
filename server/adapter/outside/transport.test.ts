import { expect, onTestFinished, test, vi } from 'vitest';

import { startPushService } from '#tests/support/push-service.ts';
import { words } from '#tests/support/words.ts';

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
  expect(await reply('redirect')).toEqual({ status: 307, retryAfter: undefined });
  await expect(reply('hang')).rejects.toThrow(/./);
  expect(service.pathsOf()).toEqual(['/redirect', '/hang']);
});
