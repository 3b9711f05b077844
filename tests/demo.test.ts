import { join } from 'node:path';

import { test } from 'vitest';

import { checkDemo } from './support/demo.ts';

const PROGRAM = join(import.meta.dirname, '../scripts/demo-service.mjs');

test('npm run demo: serves made-up people, contacts and visits, and removes its folder at the end', () =>
  checkDemo([process.execPath, PROGRAM]));
