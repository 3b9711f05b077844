import { expect, test } from 'vitest';

import { RULES } from './support/architecture-rules.ts';
import { readSources, readTools } from './support/source.ts';

const SOURCES = readSources();
/** The rules that the tools for development obey too. */
const RULES_OF_TOOLS = [
  'file: has at most 200 lines of code',
  'file: is not called index',
  'import: never starts with ../',
  'import cycle: none between files',
];

/** Files with their texts; together they break one rule at one place. */
type Violation = Readonly<Record<string, string>>;

const VIOLATIONS: Readonly<Record<string, readonly Violation[]>> = {
  'file: has at most 200 lines of code': [
    { 'domain/long.ts': 'export const x = 1;\n'.repeat(201) },
    { 'view/long.css': 'a { color: red; }\n'.repeat(201) },
  ],
  'file: is not called index': [{ 'web/ui/index.ts': '' }, { 'domain/index.tsx': '' }],
  'folder: its name is one lower-case word that describes it, in the singular': [
    { 'server/utils/a.ts': '' },
    { 'web/myThings/a.ts': '' },
    { 'web/two-words/a.ts': '' },
    { 'server/contacts/a.ts': '' },
  ],
  'import: never starts with ../': [
    { 'web/ui/a.ts': "import { x } from '../http/x.ts';" },
    { 'web/ui/b.ts': "import '../a.css';" },
    { 'web/ui/c.ts': "const x = await import('../x.ts');" },
    { 'web/ui/d.ts': "export {\n  x,\n} from '../x.ts';" },
    { 'bench/a.mjs': "import { x } from '../scripts/x.mjs';" },
  ],
  'layer: imports only the layers and packages that it may import': [
    { 'domain/a.ts': "import { x } from '#contract/x.ts';" },
    { 'domain/b.ts': "import * as z from 'zod';" },
    { 'domain/c.ts': "import { readFile } from 'node:fs';" },
    { 'contract/a.ts': "import { x } from '#server/x.ts';" },
    { 'view/a.tsx': "import type { x } from '#contract/x.ts';" },
    { 'view/b.tsx': "import { join } from 'node:path';" },
    { 'server/a.ts': "import { x } from '#web/x.ts';" },
    { 'server/b.ts': "import { x } from '#tests/x.ts';" },
    { 'web/a.ts': "import { x } from '#server/x.ts';" },
    { 'web/b.ts': "import { x } from 'node:fs';" },
    { 'web/c.ts': "import { x } from 'fastify';" },
  ],
  'feature: its files with the context are imported by no other feature': [
    {
      'server/contact/a.ts': "import { x } from '#server/user/a.ts';",
      'server/user/a.ts': "import type { AppContext } from '#server/context.ts';",
    },
  ],
  'feature: is imported by no other feature of the browser and by no shared folder': [
    { 'web/edit/a.tsx': "import { x } from '#web/account/a.tsx';" },
    { 'web/ui/a.tsx': "const x = import('#web/edit/a.tsx');" },
  ],
  'server: no module imports one of a higher layer': [
    { 'server/db/a.ts': "import { x } from '#server/user/store.ts';" },
    { 'server/otp/a.ts': "import type { AppContext } from '#server/context.ts';" },
    { 'server/sms/a.ts': "import type { Settings } from '#server/settings/settings.ts';" },
    { 'server/storage/a.ts': "import { x } from '#server/dependencies.ts';" },
    { 'server/http/a.ts': "import { x } from '#server/db/database.ts';" },
    { 'server/http/b.ts': "import type { x } from '#server/context.ts';" },
    { 'server/clock.ts': "import { x } from '#server/session/session.ts';" },
    { 'server/context.ts': "import type { x } from '#server/card/card-renderer.ts';" },
    { 'server/settings/a.ts': "import type { x } from '#server/context.ts';" },
    { 'server/user/a.ts': "import { buildApp } from '#server/app.ts';" },
    { 'server/app.ts': "import { x } from './start/service.ts';" },
  ],
  'server: database, pictures, profiles and photo store import no HTTP': [
    { 'server/db/a.ts': "import { x } from '#server/http/route.ts';" },
    { 'server/db/b.ts': "import { ApiError } from '#server/error.ts';" },
    { 'server/image/a.ts': "import type { x } from '#server/http/route.ts';" },
    { 'server/profile/a.ts': "import { x } from '#server/http/negotiation.ts';" },
    { 'server/storage/a.ts': "import { x } from '#server/http/send.ts';" },
  ],
  'settings: import no database, no HTTP and no folder of a provider; descriptions neither': [
    { 'server/settings/settings.ts': "import { x } from '#server/db/connect.ts';" },
    { 'server/settings/settings.ts': "import type { x } from '#server/otp/msg91/provider.ts';" },
    { 'server/settings/setting-groups.ts': "import { x } from '#server/sms/twilio/gateway.ts';" },
    { 'server/otp/msg91/description.ts': "import { x } from './provider.ts';" },
    {
      'server/sms/twilio/description.ts': "import type { x } from '#server/client/http-client.ts';",
    },
  ],
  'import cycle: none between files': [
    {
      'web/ui/a.ts': "import { b } from './b.ts';",
      'web/ui/b.ts': "import { c } from '#domain/c.ts';\nexport { a } from './a.ts';",
      'domain/c.ts': '',
    },
    {
      'domain/a.ts': "import type { B } from '#domain/b.ts';",
      'domain/b.ts': "import type { C } from './c.ts';",
      'domain/c.ts': "import type { A } from '#domain/a.ts';",
    },
    {
      'server/a.ts': "const b = await import('#server/b.ts');",
      'server/b.ts': "import './a.ts';",
    },
  ],
  'import cycle: none between modules': [
    {
      'server/http/a.ts': "import { x } from '#server/page/b.ts';",
      'server/page/b.ts': '',
      'server/page/c.ts': "import { x } from '#server/http/d.ts';",
      'server/http/d.ts': '',
    },
    {
      'web/root.tsx': "import type { x } from '#web/ui/a.ts';",
      'web/ui/a.ts': '',
      'web/ui/b.ts': "import type { x } from '#web/http/a.ts';",
      'web/http/a.ts': "import type { x } from '#web/root.tsx';",
    },
  ],
  'browser: every request has a time-out': [
    { 'web/ui/a.ts': "await fetch('/x');" },
    { 'web/ui/b.ts': "await cache.add('/x');" },
  ],
  'card: only changeCard sets a column of one': [
    { 'server/user/a.ts': 'sql`UPDATE users SET name = ${x} WHERE id = ${id}`' },
    { 'server/user/b.ts': 'sql`UPDATE users\n SET login_phone = ${x}, bio = ${x}`' },
    { 'server/user/c.ts': "'UPDATE users SET blocked_at = NULL';" },
    { 'server/user/d.ts': 'sql`update users set ${joinSql(assignments)} where id = 1`' },
    { 'server/user/e.ts': 'sql`INSERT INTO users (id) ON CONFLICT DO UPDATE SET email = 1`' },
    { 'server/profile/store.ts': 'sql`UPDATE users SET name = ${x}`' },
  ],
  'card: only runCardChange drops finished responses': [
    { 'server/user/a.ts': 'context.responses.drop(userId);' },
  ],
  'limit: a call takes its rate limit from the table in server/limit/rate-limit.ts': [
    { 'server/notification/a.ts': 'const limit = new MemoryRateLimit({ clock, max: 5 });' },
  ],
  'environment: is read in the entry points and in settings only': [
    { 'server/http/a.ts': "const x = process.env['X'];" },
    { 'web/a.ts': 'const x = import.meta.env.X;' },
    { 'domain/a.ts': 'const x = process . env;' },
  ],
};

test('architecture: the sources of all layers are read', () => {
  const layers = new Set(SOURCES.map(({ path }) => path.split('/')[0]));
  expect(layers).toEqual(new Set(['contract', 'domain', 'server', 'view', 'web']));
  expect(SOURCES.length).toBeGreaterThan(100);
});

test.each(Object.keys(RULES))('architecture: %s', (name) => {
  expect(RULES[name]?.(SOURCES)).toEqual([]);
});

test.each(RULES_OF_TOOLS)('architecture of the tools: %s', (name) => {
  expect(RULES[name]?.(readTools())).toEqual([]);
});

test.each(Object.keys(RULES))('architecture: finds a deliberate violation of "%s"', (name) => {
  expect(VIOLATIONS[name]).not.toEqual([]);
  for (const violation of VIOLATIONS[name] ?? []) {
    const sources = Object.entries(violation).map(([path, text]) => ({ path, text }));
    expect([violation, RULES[name]?.(sources)]).toEqual([violation, [expect.any(String)]]);
  }
});

test('architecture: a plural folder is named with its path', () => {
  const rule = RULES['folder: its name is one lower-case word that describes it, in the singular'];
  const path = 'web/tips/page.tsx';
  expect(rule?.([{ path, text: '' }])).toEqual(['web/tips: plural, use singular']);
});

test('architecture: no import cycle if a test imports its subject', () => {
  const sources = [
    { path: 'web/ui/a.ts', text: "import { x } from './a.test.ts';" },
    { path: 'web/ui/a.test.ts', text: "import { x } from './a.ts';" },
  ];
  expect([
    RULES['import cycle: none between files']?.(sources),
    RULES['import cycle: none between modules']?.(sources),
  ]).toEqual([[], []]);
});

test('architecture: no import cycle if modules import in one direction', () => {
  const sources = [
    { path: 'server/page/a.ts', text: "import { x } from '#server/http/b.ts';" },
    { path: 'server/page/b.ts', text: "import { x } from '#domain/c.ts';" },
    { path: 'server/http/b.ts', text: "import { x } from '#domain/c.ts';" },
    { path: 'domain/c.ts', text: '' },
  ];
  expect(RULES['import cycle: none between modules']?.(sources)).toEqual([]);
});
