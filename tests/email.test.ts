import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';

import { runAdmin } from './support/admin.ts';
import { makeCertificate } from './support/certificate.ts';
import { newFolder } from './support/folder.ts';
import { startMailServer } from './support/mail-server.ts';
import { waitUntil } from './support/polling.ts';
import { startServer } from './support/server.ts';

const PHONE = '+919876543210';
const EMAIL = 'asha@example.com';

interface Reply {
  readonly challenge: string;
  readonly token: string;
  readonly _id: string;
}

async function post(url: string, body: object): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Reply;
}

test.each([
  { way: 'STARTTLS', options: {} },
  { way: 'TLS', options: { secure: true } },
])(
  'email by $way: an owner signs in, and doctor and send-test-code reach the server',
  async ({ options }) => {
    const { certificate, key } = makeCertificate(newFolder());
    const pair = { key: readFileSync(key), cert: readFileSync(certificate) };
    // Beyond 127.0.0.1 the mail server counts as another machine, for which TLS is required.
    const mail = await startMailServer({ ...pair, ...options, host: '127.0.0.2' });
    const untrusted = mail.environment;
    const settings = { ...untrusted, NODE_EXTRA_CA_CERTS: certificate };
    const server = await startServer(settings);
    onTestFinished(() => server.dispose());
    const environment = { ...settings, DATA_DIR: server.dataDir };
    const invited = await runAdmin(
      environment,
      'invite',
      PHONE,
      '--name',
      'Asha',
      '--email',
      EMAIL,
    );
    expect(invited).toMatchObject({ code: 0 });

    const api = `${server.origin}/api`;
    const { challenge } = await post(`${api}/otp/send`, { appId: 'tessera', phone: PHONE });
    const sent = await waitUntil(() => mail.mails[0]);
    expect(sent).toMatchObject({ to: [EMAIL], user: 'codes', isEncrypted: true });
    const code = /^Subject: (\d{6}) is your code for Tessera\r$/m.exec(sent.source)?.[1] ?? '';
    const { token } = await post(`${api}/otp/verify`, { challenge, code });
    const signedIn = await fetch(`${api}/user/authenticate/phone`, {
      headers: { authorization: token },
    });
    expect(signedIn.status).toBe(200);
    const file = new DatabaseSync(join(server.dataDir, 'tessera.sqlite'), { readOnly: true });
    expect(file.prepare('SELECT name, login_email FROM users').all()).toEqual([
      { name: 'Asha', login_email: EMAIL },
    ]);
    file.close();

    const doctor = async (changed: object) => {
      const { stdout } = await runAdmin({ ...environment, ...changed }, 'doctor', '--json');
      const findings = JSON.parse(stdout) as Record<'check' | 'state' | 'detail', string>[];
      return findings.find(({ check }) => check === 'gateway');
    };
    expect(await doctor({})).toEqual({
      check: 'gateway',
      state: 'ok',
      detail: 'email: The provider accepts the settings. No message was sent.',
    });
    const SMTP_URL = settings.SMTP_URL.replace('p%40ss', 'wrong');
    expect(await doctor({ SMTP_URL })).toMatchObject({
      state: 'failed',
      detail: 'email: The user or the password of SMTP_URL is wrong.',
    });
    expect(await doctor({ NODE_EXTRA_CA_CERTS: '' })).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('the certificate of the provider') as string,
    });
    expect(mail.mails).toHaveLength(1);

    const sentTest = await runAdmin(environment, 'send-test-code', PHONE);
    expect(sentTest.stdout).toContain('The provider has accepted the message.');
    expect(mail.mails[1]).toMatchObject({ to: [EMAIL], isEncrypted: true });
    expect(mail.mails[1]?.source).toContain('Subject: 0000000 is your code');
    const other = await runAdmin(environment, 'send-test-code', '+919876543299');
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining('codes by email need a sign-in email') as string,
    ]);
    const log = server.output() + server.errors();
    expect([EMAIL, PHONE.slice(-8), code].filter((text) => log.includes(text))).toEqual([]);
  },
);
