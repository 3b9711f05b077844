import { afterEach, expect, inject, test } from 'vitest';

import { FULL_CARD, sendRequest, createOwner } from './support/owner.ts';
import { startCluster } from './support/postgres.ts';
import { startServer } from './support/server.ts';
import type { RunningServer } from './support/server.ts';

const garbage: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const remove of garbage.splice(0).toReversed()) await remove();
});

async function start(environment: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer({ LOG_LEVEL: 'debug', ...environment });
  garbage.push(() => server.dispose());
  return server;
}

/** A card made, seen, written to, and every kind of refusal; gives back what must not be logged. */
async function journey(server: RunningServer): Promise<string[]> {
  const phone = '9876512345';
  const { challenge } = await sendRequest<{ challenge: string }>(server, '/otp/send', {
    body: { appId: 'tessera', phone },
  });
  const code = await server.codeFor(`+91${phone}`);
  const tried = (path: string, question: Parameters<typeof sendRequest>[2]) =>
    sendRequest(server, path, question).catch(() => undefined);
  await tried('/otp/verify', { body: { challenge, code: '000000' } });
  const { token } = await sendRequest<{ token: string }>(server, '/otp/verify', {
    body: { challenge, code },
  });
  const owner = await sendRequest<{ _id: string; sessionToken: string }>(
    server,
    '/user/authenticate/phone',
    { token },
  );
  await tried('/user/authenticate/phone', { token });
  await sendRequest(server, `/user/updateUser/${owner._id}`, {
    body: { ...FULL_CARD, email: 'private.canary@example.com' },
    token: owner.sessionToken,
  });
  await tried(`/user/updateUser/${owner._id}`, {
    body: { name: 5, bio: 'canary bio' },
    token: owner.sessionToken,
  });
  await sendRequest(server, '/profile/addContact', {
    body: {
      userID: owner._id,
      contact: { name: 'Canary Visitor', mobile: '+919812345678', email: '', companyName: '' },
    },
  });
  await fetch(`${server.origin}/ftue?phone=%2B91${phone}`);
  await fetch(`${server.origin}/no/such/place?phone=${phone}&token=${owner.sessionToken}`);
  await fetch(`${server.origin}/api/none/${owner.sessionToken}`);
  await fetch(`${server.origin}/api/user/updateUser/${owner._id}`, {
    method: 'POST',
    headers: { authorization: owner.sessionToken, 'content-type': 'application/json' },
    body: `{"phone":"${phone}"`,
  });
  await sendRequest(server, '/user/logout', { body: {}, token: owner.sessionToken });
  return [
    challenge,
    token,
    owner.sessionToken,
    code,
    phone,
    '98765 43210',
    '9812345678',
    'Canary Visitor',
    'canary bio',
    'private.canary',
  ];
}

/** What was logged, less the console gateway's own line. */
const logged = (server: RunningServer) =>
  server
    .output()
    .split('\n')
    .filter((line) => !/^OTP \+\d+ \d{6}$/.test(line));

test('the whole log of a journey at the level debug holds no token, code, phone or word of a card', async () => {
  const server = await start();
  const secrets = await journey(server);
  await server.stop();
  const lines = logged(server);
  // Its decimals could spell a code.
  const text = lines.join('\n').replace(/"responseTime":[\d.]+/g, '');
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  // It did log: JSON lines, each of a request with the request's id.
  const entries = lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { reqId?: string; req?: { path: string } });
  const paths = entries.flatMap(({ reqId, req }) => (reqId && req ? [req.path] : []));
  expect(paths).toEqual(
    expect.arrayContaining(['/api/otp/send', '/api/otp/verify', '/ftue', '/no/such/place']),
  );
});

test.skipIf(inject('postgresUrl') === '')(
  'neither does the log of a database that goes away in the middle',
  async () => {
    const cluster = await startCluster();
    garbage.push(() => cluster.stop());
    const server = await start({ DATABASE_URL: cluster.url, DRAIN_SECONDS: '0' });
    const owner = await createOwner(server, '9876512346', { name: 'Canary Name' });
    cluster.halt();
    const question = { body: { name: 'Canary Change' }, token: owner.sessionToken };
    await expect(sendRequest(server, `/user/updateUser/${owner._id}`, question)).rejects.toThrow(
      '503',
    );
    cluster.resume();
    await server.stop();
    const text = logged(server).join('\n');
    expect(text).toContain('"level":"error"');
    const secrets = [owner.sessionToken, '9876512346', 'Canary'];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  },
);
