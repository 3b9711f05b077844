import { join } from 'node:path';

import { test } from 'vitest';

import { DEMO_TIMEOUT_MS, checkDemo } from './support/demo.ts';

const PROGRAM = join(import.meta.dirname, '../scripts/demo-service.mjs');

test(
  'npm run demo: serves made-up people, contacts and visits, and removes its folder at the end',
  () => checkDemo([process.execPath, PROGRAM]),
  DEMO_TIMEOUT_MS * 2,
);
