// Runs the service of npm run demo in a temporary folder that is removed at the end.
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
const { DEMO_CODE, DEMO_PHONES, fillDemo } = await import('../dist/server/demo.js');
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
const origin = `http://localhost:${process.env.PORT ?? '3000'}`;
process.stdout.write(
  `Demo: sign in at ${origin}/login with ${DEMO_PHONES[0]} and the code ${DEMO_CODE}; visitors see ${origin}/user/${userId}\n`,
);
await import('../dist/server/main.js');
