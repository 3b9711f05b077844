import { expect, test } from 'vitest';

import { RULES, readSources } from './support/shape.ts';

const SOURCES = readSources();

/** A planted fault for each rule: what must turn it red. */
const PLANTED: Record<keyof typeof RULES, Record<string, string>> = {
  'no file is longer than 200 lines of its own, blank lines and comments aside': {
    'domain/long.ts': 'export const x = 1;\n'.repeat(201),
    'view/long.css': 'a { color: red; }\n'.repeat(201),
  },
  'a folder’s name is one lower-case word that says something': {
    'server/utils/a.ts': '',
    'web/myThings/a.ts': '',
    'web/two-words/a.ts': '',
  },
  'no file is called index': { 'web/ui/index.ts': '', 'domain/index.tsx': '' },
  'no import climbs out of its folder': {
    'web/ui/a.ts': "import { x } from '../http/x.ts';",
    'web/ui/b.ts': "import '../a.css';",
    'web/ui/c.ts': "const x = await import('../x.ts');",
    'web/ui/d.ts': "export {\n  x,\n} from '../x.ts';",
  },
  'a ring knows only what it may know': {
    'domain/a.ts': "import { x } from '#contract/x.ts';",
    'domain/b.ts': "import * as z from 'zod';",
    'domain/c.ts': "import { readFile } from 'node:fs';",
    'contract/a.ts': "import { x } from '#server/x.ts';",
    'view/a.tsx': "import type { x } from '#contract/x.ts';",
    'view/b.tsx': "import { join } from 'node:path';",
    'server/a.ts': "import { x } from '#web/x.ts';",
    'server/b.ts': "import { x } from '#tests/x.ts';",
    'web/a.ts': "import { x } from '#server/x.ts';",
    'web/b.ts': "import { x } from 'node:fs';",
    'web/c.ts': "import { x } from 'fastify';",
  },
  'features never import each other, and what is shared imports no feature': {
    'server/contact/a.ts': "import { x } from '#server/user/routes.ts';",
    'server/http/a.ts': "import { x } from '#server/user/routes.ts';",
    'server/user/a.ts': "import type { x } from '#server/page/a.ts';",
    'web/edit/a.tsx': "import { x } from '#web/photo/a.tsx';",
    'web/ui/a.tsx': "const x = import('#web/edit/a.tsx');",
  },
  'the environment is read in one place': {
    'server/http/a.ts': "const x = process.env['X'];",
    'web/a.ts': 'const x = import.meta.env.X;',
    'domain/a.ts': 'const x = process . env;',
  },
};

test('there is a house to look at', () => {
  const rings = new Set(SOURCES.map(({ path }) => path.split('/')[0]));
  expect(rings).toEqual(new Set(['contract', 'domain', 'server', 'view', 'web']));
  expect(SOURCES.length).toBeGreaterThan(100);
});

test.each(Object.keys(RULES))('%s', (name) => {
  expect(RULES[name]?.(SOURCES)).toEqual([]);
});

test.each(Object.keys(RULES))('a planted fault is seen: %s', (name) => {
  const planted = Object.entries(PLANTED[name] ?? {}).map(([path, text]) => ({ path, text }));
  expect(planted).not.toEqual([]);
  for (const fault of planted)
    expect([fault.path, RULES[name]?.([fault])]).toEqual([fault.path, [expect.any(String)]]);
});
