// Runs the service of npm run demo in a temporary folder that is removed at the end. `npm run demo -- email`
// and `npm run demo -- oidc` show the other ways to sign in, with servers on this machine.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DAY_MS = 24 * 60 * 60 * 1000;

// The settings of a real service must not reach this one.
const allowedVariables = new Set(['PATH', 'HOME', 'TMPDIR', 'PORT', 'HOST']);
for (const name of Object.keys(process.env))
  if (!allowedVariables.has(name)) delete process.env[name];
const folder = mkdtempSync(join(tmpdir(), 'tessera-demo-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const { DEMO_CODE, DEMO_OWNERS, DEMO_PHONES, fillDemo } = await import('../dist/server/demo.js');
const origin = `http://localhost:${process.env.PORT ?? '3000'}`;
const [, , way = 'code'] = process.argv;

/** Prints the mails that the service sends, and gives the first owner a sign-in email. */
async function startEmail() {
  const { SMTPServer } = await import('smtp-server');
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _session, callback) => {
      stream.on('data', (part) => process.stdout.write(part)).on('end', () => callback());
    },
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.server.unref();
  const email = 'asha@example.com';
  const admin = join(import.meta.dirname, '..', 'dist', 'server', 'admin.js');
  const args = [admin, 'login-email', DEMO_PHONES[0], email];
  const env = { ...process.env, LOG_LEVEL: 'error' };
  spawnSync(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  Object.assign(process.env, {
    SMS_GATEWAY: 'email',
    SMTP_URL: `smtp://127.0.0.1:${server.server.address().port}`,
    SMTP_FROM: 'codes@example.com',
  });
  return `with ${DEMO_PHONES[0]}; the code goes to ${email}, and the mail appears here`;
}

/** Starts a company's login, in which one presses the button of a person. */
async function startCompanyLogin() {
  const { startIssuer } = await import('./demo-issuer.mjs');
  const people = DEMO_OWNERS.map(({ phone, card: { name } }) => ({
    sub: phone,
    name,
    phone_number: phone,
    phone_number_verified: true,
  }));
  const redirectUris = [`${origin}/login/oidc/callback`];
  const { environment } = await startIssuer({ people, redirectUris });
  Object.assign(process.env, { ...environment, OIDC_NAME: 'Kaveri Silks', PUBLIC_URL: origin });
  return 'and choose who you are';
}

const WAYS = {
  code: async () => `with ${DEMO_PHONES[0]} and the code ${DEMO_CODE}`,
  email: startEmail,
  oidc: startCompanyLogin,
};
const startWay = Object.hasOwn(WAYS, way) ? WAYS[way] : null;
if (startWay === null) {
  process.stderr.write('Type npm run demo, npm run demo -- email, or npm run demo -- oidc.\n');
  process.exit(1);
}
Object.assign(process.env, {
  DATA_DIR: folder,
  // Everybody knows the demo's code, so by default no other machine reaches it.
  HOST: process.env.HOST ?? '127.0.0.1',
  VIEWS: 'all',
  CARD_EXTRAS: 'all',
  LOG_LEVEL: 'warn',
  OTP_TEST_NUMBERS: DEMO_PHONES.map((phone) => `${phone}:${DEMO_CODE}`).join(','),
  OTP_TEST_NUMBERS_UNTIL: new Date(Date.now() + DAY_MS).toISOString(),
});

process.stdout.write('Filling the demo …\n');
const userId = await fillDemo();
const how = await startWay();
if (way !== 'code') delete process.env.OTP_TEST_NUMBERS;
process.stdout.write(
  `Demo: sign in at ${origin}/login ${how}; visitors see ${origin}/user/${userId}\n`,
);
await import('../dist/server/main.js');
