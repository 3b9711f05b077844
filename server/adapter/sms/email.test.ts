import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { SECOND_MS } from '#domain/duration.ts';
import { readSettings } from '#server/settings/settings.ts';
import { PHONE } from '#tests/support/codes.ts';
import { CODE, openFirstGateway } from '#tests/support/gateway.ts';
import { mailEnvironment, rejection, startMailServer } from '#tests/support/mail-server.ts';
import { listen } from '#tests/support/port.ts';

import { reportOn } from './delivery.ts';
import { emailGateway } from './email.ts';

const EMAIL = 'asha@example.com';

/** Sends a code and returns the outcome. Fails the test if it reveals the phone, the email or the code. */
async function report(environment: Record<string, string>, email = EMAIL) {
  const { name, send } = openFirstGateway(environment);
  const result = await reportOn(name, () => send(PHONE, CODE, email), 'sent').catch(String);
  const shown = JSON.stringify(result);
  expect([PHONE, email, CODE].filter((text) => shown.includes(text))).toEqual([]);
  return result;
}

async function start(options?: Parameters<typeof startMailServer>[0]) {
  const server = await startMailServer(options);
  onTestFinished(server.close);
  return server;
}

async function startRawServer(onConnection: (socket: Socket) => unknown) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    void onConnection(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { sockets, environment: mailEnvironment(new URL(await listen(server)).host) };
}

test('email: the message has the code in its subject, is plain text and has no link', async () => {
  const { mails, environment } = await start();
  expect(await report({ ...environment, PRODUCT_NAME: 'कार्ड' })).toMatchObject({
    outcome: 'accepted',
  });
  expect(await report(environment)).toMatchObject({ outcome: 'accepted' });
  expect(mails[1]).toEqual({
    from: 'codes@example.com',
    to: [EMAIL],
    user: 'codes',
    isEncrypted: false,
    source: expect.stringMatching(
      /\nFrom: Tessera <codes@example.com>\r\nTo: asha@example.com\r\n/,
    ),
  });
  const [head = '', body] = mails[1]?.source.split('\r\n\r\n') ?? [];
  expect(head).toContain(`\r\nSubject: ${CODE} is your code for Tessera\r\n`);
  expect(head).toContain('\r\nContent-Type: text/plain; charset=utf-8');
  expect(head).toContain('Auto-Submitted: auto-generated');
  expect(body).toBe(`${CODE} is your code for Tessera. It's valid for 5 minutes.`);
  expect(mails[1]?.source).not.toMatch(/https?:|<\w+>|multipart/);
  expect(mails[0]?.source).toContain('Subject: =?UTF-8?');
});

test('email: neither a line break in a name nor a comma in an address adds a header or a recipient', async () => {
  const { mails, environment } = await start();
  for (const PRODUCT_NAME of ['Tessera\r\nBcc: eve@example.com', 'Tessera\nBcc: eve@example.com'])
    expect(() => readSettings({ ...environment, PRODUCT_NAME })).toThrow('PRODUCT_NAME must be');
  const settings = readSettings(environment);
  const productName = 'Tessera\r\nBcc: eve@example.com';
  const send = emailGateway.openGateway({ ...settings, productName }, {} as never);
  await send(PHONE, CODE, 'asha@example.com').catch(() => undefined);
  await report(environment, 'asha@example.com,eve@example.com');
  await report(environment, 'asha@example.com>\r\nRCPT TO:<eve@example.com');
  for (const { to, source } of mails) {
    expect(source.split('\r\n\r\n', 1)[0]).not.toMatch(/^(?:Bcc|RCPT)/m);
    expect(to).not.toContain('eve@example.com');
  }
});

test.each([
  ['that is full', rejection(452, 'no space for asha@example.com'), 'status 452, EMESSAGE'],
  ['that sees spam', rejection(554, `spam: ${CODE} is your code`), 'status 554, EMESSAGE'],
])('email: a server %s has refused the code', async (_, error, answer) => {
  const { mails, environment } = await start({ onMessage: async () => error });
  expect(await report(environment)).toMatchObject({ outcome: 'refused', answer });
  expect(mails).toEqual([]);
});

test('email: a recipient that bounces, a wrong password and a server without TLS are explained', async () => {
  const bouncing = await start({
    onRcptTo: ({ address }, _session, callback) => callback(rejection(550, `no ${address}`)),
  });
  expect(await report(bouncing.environment)).toMatchObject({
    answer: 'status 550, EENVELOPE',
    meaning: 'The server does not accept SMTP_FROM or the sign-in email.',
  });
  const { environment } = await start();
  const SMTP_URL = environment.SMTP_URL.replace('p%40ss', 'wrong');
  expect(await report({ ...environment, SMTP_URL })).toMatchObject({
    answer: 'status 535, EAUTH',
    meaning: 'The user or the password of SMTP_URL is wrong.',
  });
  const other = await start({ host: '127.0.0.2' });
  expect(await report(other.environment)).toMatchObject({
    outcome: 'refused',
    answer: 'status 500, ETLS',
  });
  expect(other.mails).toEqual([]);
});

test('email: a server that cannot be reached or whose certificate is unknown is refused', async () => {
  const refused = { outcome: 'refused', answer: expect.stringContaining('ECONNREFUSED') as string };
  expect(await report(mailEnvironment('127.0.0.1:1'))).toMatchObject(refused);
  const { environment, mails } = await start({ secure: true });
  expect(await report(environment)).toMatchObject({
    outcome: 'refused',
    meaning: expect.stringContaining('certificate') as string,
  });
  expect(mails).toEqual([]);
});

test('email: each server that hangs is silent after 5 s, and its connection is closed', async () => {
  const hanging = await startRawServer(() => undefined);
  const greetingLate = await startRawServer(async (socket) => {
    await delay(6 * SECOND_MS);
    socket.write('220 late\r\n');
  });
  const dripping = await startRawServer(async (socket) => {
    for (let n = 0; n < 20 && !socket.destroyed; n += 1) {
      socket.write('220-slow\r\n');
      await delay(SECOND_MS / 2);
    }
  });
  const afterContent = await start({
    onMessage: async () => (await delay(6 * SECOND_MS), null),
  });
  const checked = openFirstGateway(dripping.environment);
  const check = reportOn('email', () => checked.check?.() ?? Promise.resolve(), 'checked');
  const startedAt = performance.now();
  const servers = [hanging, greetingLate, dripping, afterContent];
  const reports = await Promise.all(servers.map(({ environment }) => report(environment)));
  expect(await check).toMatchObject({ outcome: 'silent' });
  expect(performance.now() - startedAt).toBeLessThan(6 * SECOND_MS);
  for (const one of reports) expect(one).toMatchObject({ outcome: 'silent', answer: 'none' });
  await delay(SECOND_MS / 2);
  expect(hanging.sockets.map(({ closed, readableEnded }) => closed || readableEnded)).toEqual([
    true,
  ]);
  expect(dripping.sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]);
}, 20_000);

test('email: a server that greets within the time gets the code, and a flood ends at once', async () => {
  const { mails, environment } = await start({
    onConnect: (_session, callback) => void setTimeout(callback, 2 * SECOND_MS),
  });
  expect(await report(environment)).toMatchObject({ outcome: 'accepted' });
  expect(mails).toHaveLength(1);
  const flooding = await startRawServer((socket) => {
    const flood = () => {
      while (socket.write('x'.repeat(65_536)));
      socket.once('drain', flood);
    };
    flood();
  });
  expect(await report(flooding.environment)).toMatchObject({ outcome: 'refused' });
}, 15_000);

test('email: SMTP_URL and SMTP_FROM are required, and checked', () => {
  const { SMTP_URL: url, SMTP_FROM: from } = mailEnvironment('mail.example.com:587');
  const read = (SMTP_URL: string, SMTP_FROM: string) =>
    readSettings({ SMS_GATEWAY: 'whatsapp,email', ...whatsapp, SMTP_URL, SMTP_FROM });
  const whatsapp = {
    WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
    WHATSAPP_TOKEN: 'token',
    WHATSAPP_TEMPLATE: 'login_code',
  };
  expect(read(url, from).smtpUrl).toBe(url);
  expect(read('smtp://[::1]:2525', from).smtpUrl).toBe('smtp://[::1]:2525');
  expect(() => read('', '')).toThrow(/SMTP_URL must be set.*\nSMTP_FROM must be set/);
  for (const wrong of ['https://mail.example.com', 'smtp://', 'mail.example.com', `${url}/?a=b`])
    expect(() => read(wrong, from)).toThrow('SMTP_URL must be an address such as');
  expect(() => read('smtp://user@mail.example.com', from)).toThrow('SMTP_URL must be');
  expect(() => read('smtp://user:100%@mail.example.com', from)).toThrow('SMTP_URL must be');
  expect(() => read(url, 'Tessera <codes@example.com>')).toThrow('SMTP_FROM must be');
});
