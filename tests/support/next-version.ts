import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { copyProgram } from './program-folder.ts';

/** Builds these sources again as version 99.0.0. The pages of that build set `data-next` on their root element. */
export function buildNextVersion() {
  const parent = mkdtempSync(join(tmpdir(), 'tessera-next-'));
  const folder = join(parent, 'tessera');
  copyProgram(folder);
  const manifest = join(folder, 'package.json');
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, text.replace(/"version": "[^"]+"/, '"version": "99.0.0"'));
  appendFileSync(join(folder, 'web/main.tsx'), "document.documentElement.dataset['next'] = '';\n");
  const { NODE_ENV: _, ...env } = process.env;
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, env, stdio: 'pipe' });
  return {
    entry: join(folder, 'dist/server/main.js'),
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}
