import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { DIST } from './support/server.ts';

const KB = 1000;
const ASSETS = join(DIST, '../web/assets');
const IMPORT = /\bimport(?:[^"'`()]*?\bfrom)?\s*["'`]\.\/([^"'`]+)["'`]/g;

/** The compressed bytes of a script of the build, and of everything that it imports at once. */
function scriptBytes(start: RegExp): number {
  const files = new Set(readdirSync(ASSETS).filter((name) => start.test(name)));
  let bytes = 0;
  for (const name of files) {
    bytes += statSync(join(ASSETS, `${name}.br`)).size;
    const imports = readFileSync(join(ASSETS, name), 'utf8').matchAll(IMPORT);
    for (const [, imported = ''] of imports) files.add(imported);
  }
  return bytes;
}

test.each([
  ['the owner’s pages', /^index-.*\.js$/, 195],
  ['the login page', /^script-signin-.*\.js$/, 8],
])('scripts: those of %s (%s) are at most %i KB', (_, start, most) => {
  const bytes = scriptBytes(start);
  expect(bytes).toBeGreaterThan(KB);
  expect(bytes).toBeLessThanOrEqual(most * KB);
});
