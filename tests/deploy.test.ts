import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import manifest from '#manifest' with { type: 'json' };

import { newFolder } from './support/folder.ts';
import { startServer } from './support/server.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const [COMPOSE_YAML, SETTINGS] = [read('deploy/compose.yaml'), read('docs/settings.md')];

test('compose.yaml: sets only settings that exist, passes all others from .env, and hides the secrets of other services', () => {
  const block = /\n {2}environment:\n((?: {4}.*\n)+)/.exec(COMPOSE_YAML)?.[1] ?? '';
  const given = [...block.matchAll(/^ {4}([A-Z0-9_]+):/gm)].map(([, name]) => name ?? '');
  const others = given.filter((name) => !SETTINGS.includes(`\`${name}\``));
  const secrets = [...read('deploy/example.env').matchAll(/^(\w+)=$/gm)].map(([, name]) => name);
  const unused = secrets.filter((name) => !block.includes(`\${${name}`));
  expect(others).toEqual(unused.filter((name) => /SECRET|PASSWORD|KEY/.test(name ?? '')));
  for (const name of others) expect(block).toContain(`\n    ${name}: ''\n`);
  expect(given).toContain('DATABASE_URL');
  expect(COMPOSE_YAML).toContain('\n  env_file: .env\n');
});

test('compose.yaml: DATA_DIR is a volume of each node, because /tmp is memory', () => {
  const folder = /\n {4}DATA_DIR: (\S+)\n/.exec(COMPOSE_YAML)?.[1];
  const nodes = [...COMPOSE_YAML.matchAll(/\n {2}node-\d:\n(?: {4}.*\n)+/g)].map(
    ([block]) => block,
  );
  const mounts = nodes.map((block) => /\n {6}- ([\w-]+):(\/.*)\n/.exec(block) ?? []);
  expect(mounts.map(([, , path]) => path)).toEqual([folder, folder]);
  expect(new Set(mounts.map(([, name]) => name)).size).toBe(2);
  const volumes = COMPOSE_YAML.slice(COMPOSE_YAML.indexOf('\nvolumes:'));
  for (const [, name] of mounts) expect(volumes).toContain(`\n  ${name}:\n`);
  // A new volume gets the owner that this folder has in the image.
  const copy = `\nCOPY --from=build --chown=node:node ${folder} ${folder}\n`;
  expect(read('deploy/Dockerfile')).toContain(copy);
});

test('example.env: has every variable of compose.yaml, and otherwise only settings', () => {
  const example = [...read('deploy/example.env').matchAll(/^(?:# )?([A-Z0-9_]+)=/gm)];
  const names = example.map(([, name]) => name ?? '');
  const variables = [...COMPOSE_YAML.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name ?? '');
  expect(variables.filter((name) => !names.includes(name))).toEqual([]);
  const others = names.filter((name) => !variables.includes(name) && !name.startsWith('COMPOSE_'));
  expect(others.filter((name) => !SETTINGS.includes(`\`${name}\``))).toEqual([]);
});

test('update.sh: replaces one node after the other', () => {
  const COMPOSE = join(newFolder(), 'compose');
  writeFileSync(COMPOSE, '#!/bin/sh\necho $IMAGE "$@"\n', { mode: 0o700 });
  const options = { env: { COMPOSE }, encoding: 'utf8' } as const;
  const calls = spawnSync(join(ROOT, 'deploy/update.sh'), options).stdout.trim().split('\n');
  // The tag of an image.
  expect(calls[1]).toMatch(/^tessera:\w[\w.-]{0,127} build node-1$/);
  expect(calls.at(-1)).toMatch(/^exec -T proxy caddy reload /);
  expect(calls.slice(3, 7)).toEqual([
    'up -d --no-deps node-1',
    'exec -T node-1 node healthcheck.mjs /readyz',
    'up -d --no-deps node-2',
    'exec -T node-2 node healthcheck.mjs /readyz',
  ]);
});

/** The names of our metrics in a file. */
const metricsOf = (text: string) =>
  new Set(text.match(/\btessera_[a-z_]+?(?=(?:_count|_bucket)?\b(?!_))/g));

test('alert rules: use metrics that exist', async () => {
  const server = await startServer({ METRICS_PORT: '0' });
  await fetch(server.origin);
  const [, url = ''] = /^Metrics: (.*)$/m.exec(server.output()) ?? [];
  const known = metricsOf(await (await fetch(url)).text());
  await server.dispose();
  const used = [...metricsOf(read('deploy/alerts.yaml'))];
  expect(used.length).toBeGreaterThan(4);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

test('Dockerfile: copies files that exist, and everything that the build needs', () => {
  const dockerfile = read('deploy/Dockerfile');
  const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)];
  const sources = copies.flatMap(([, names = '']) => names.split(' '));
  expect(sources.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  const ignored = read('deploy/Dockerfile.dockerignore').split('\n');
  expect(sources.filter((name) => !ignored.includes(`!${name}`))).toEqual([]);
  // The folders that `npm start` builds from.
  const folders = /const SOURCES = \[(.*)\]/.exec(read('scripts/ready.mjs'))?.[1] ?? '';
  const needed = [...folders.matchAll(/'(\w+)'/g)].map(([, name]) => name);
  expect(needed.filter((name) => !sources.includes(name ?? ''))).toEqual([]);
});

test('production: runs with source maps', () => {
  const program = '--enable-source-maps dist/server/main.js';
  expect(read('deploy/tessera.service')).toContain(`\nExecStart=/usr/bin/node ${program}\n`);
  expect(read('deploy/Dockerfile')).toContain(
    `\nCMD ${JSON.stringify(['node', ...program.split(' ')]).replaceAll(',', ', ')}\n`,
  );
  expect(manifest.scripts.start).toBe('node --enable-source-maps scripts/start.mjs');
});

test('Caddyfile: hides the operator’s paths with and without a trailing slash', () => {
  const paths = /@operator path (.*)/.exec(read('deploy/Caddyfile'))?.[1]?.split(' ');
  expect(paths).toEqual(['/metrics', '/metrics/', '/readyz', '/readyz/']);
});

test('Caddyfile: its logs have no query and no token of a receipt', () => {
  const [, pattern = '', replacement = ''] =
    /request>uri regexp (\S+) (\S+)/.exec(read('deploy/Caddyfile')) ?? [];
  const logged = (uri: string) => uri.replace(new RegExp(pattern, 'g'), replacement);
  const token = 'a'.repeat(43);
  for (const [uri, expected] of [
    ['/user/1?s=12345678', '/user/1'],
    [`/receipt/${token}`, '/receipt/'],
    [`/receipt/${token}?withdraw=1`, '/receipt/'],
  ] as const)
    expect(logged(uri)).toBe(expected);
  // The default log has errors, with their requests.
  expect(read('deploy/Caddyfile').match(/\timport filtered\n/g)).toHaveLength(2);
});

test('health check: exits with 0 for a service that answers, with 1 for one that does not', async () => {
  const server = await startServer();
  const env = { PORT: new URL(server.origin).port };
  const check = (...args: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'deploy/healthcheck.mjs'), ...args], { env }).status;
  expect([check(), check('/readyz'), check('/none')]).toEqual([0, 0, 1]);
  await server.dispose();
  expect(check()).toBe(1);
});
