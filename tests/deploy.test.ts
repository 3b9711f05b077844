import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newFolder } from './support/folder.ts';
import { startServer } from './support/server.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const [NODE, POSTGRES, NODES] = ['', 'postgres.', 'nodes.'].map((name) =>
  read(`deploy/compose.${name}yaml`),
);
const SETTINGS = read('docs/operate/settings.md');
const isSetting = (name: string) => SETTINGS.includes(`\`${name}\``);

test('compose files: set only settings that exist, pass all others from .env, and hide the secrets of other services', () => {
  const blocks = [
    /\n {4}environment:\n((?: {6}.*\n)+)/.exec(NODE ?? '')?.[1],
    /\n {4}environment:\n((?: {6}.*\n)+)/.exec(POSTGRES ?? '')?.[1],
    /\nx-environment: .*\n((?: {2}.*\n)+)/.exec(NODES ?? '')?.[1],
  ];
  const given = blocks.map((block) => {
    const lines = [...(block ?? '').matchAll(/^ +([A-Z0-9_]+): (.*)$/gm)];
    return lines.flatMap(([, name = '', value]) => (isSetting(name) ? [] : [`${name} ${value}`]));
  });
  expect(given).toEqual([
    [],
    ["POSTGRES_PASSWORD ''"],
    ["POSTGRES_PASSWORD ''", "GARAGE_RPC_SECRET ''"],
  ]);
  expect(NODE).toContain('\n    env_file: .env\n');
});

test('compose.yaml: DATA_DIR is a volume of each node, because /tmp is memory', () => {
  expect(NODE).toContain('\n      - data:/data\n');
  // A line of .env without a value would be ./data, in the folder of the program, which is read-only.
  expect(NODE).toContain('\n      DATA_DIR: ${DATA_DIR:-/data}\n');
  expect(NODES).toContain('\n      - uploads-2:/data\n');
  // podman-compose 1.0 does not replace a value that is empty.
  expect(NODES).toContain('\n  DATA_DIR: /data\n');
  const dockerfile = read('deploy/Dockerfile');
  expect(dockerfile).toContain('\n    DATA_DIR=/data\n');
  // A new volume gets the owner that this folder has in the image.
  expect(dockerfile).toContain('\nCOPY --from=build --chown=node:node /data /data\n');
});

test('example.env: has every variable of the compose files, and otherwise only settings', () => {
  const example = [...read('deploy/example.env').matchAll(/^(?:# )?([A-Z0-9_]+)=/gm)];
  const names = example.map(([, name]) => name ?? '');
  const files = [NODE, POSTGRES, NODES].join('');
  const variables = [...files.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name ?? '');
  expect(variables.filter((name) => !names.includes(name))).toEqual([]);
  const others = names.filter((name) => !variables.includes(name) && !name.startsWith('COMPOSE_'));
  expect(others.filter((name) => !isSetting(name))).toEqual([]);
});

const RELOAD = expect.stringMatching(/^exec -T proxy caddy reload /);
const callsOf = (nodes: readonly unknown[]) => [
  'build --pull node-1',
  // The tag of an image.
  expect.stringMatching(/^tessera:\w[\w.-]{0,127} build node-1$/),
  // Caddy knows how to find the files of two versions before there are two.
  RELOAD,
  ...nodes,
  'up -d',
  RELOAD,
];

test('update.sh: replaces one node after the other, and does not start beside a database of before', () => {
  const folder = newFolder();
  for (const name of ['package.json', 'deploy/update.sh', 'deploy/version.sh', 'deploy/Caddyfile'])
    cpSync(join(ROOT, name), join(folder, name));
  const COMPOSE = join(folder, 'compose');
  writeFileSync(COMPOSE, '#!/bin/sh\necho $IMAGE "$@"\n', { mode: 0o700 });
  const update = (env: string) => {
    writeFileSync(join(folder, 'deploy/.env'), env);
    const options = { env: { COMPOSE }, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync(join(folder, 'deploy/update.sh'), options);
    return status === 0 ? stdout.trim().split('\n') : status;
  };
  const [replaceOne, replaceOther] = ['1', '2'].map((number) => [
    `up -d node-${number}`,
    `exec -T node-${number} node healthcheck.mjs /readyz`,
  ]);
  const secret = 'DATABASE_PASSWORD=secret\n';
  expect(update('DATABASE_PASSWORD=\n')).toEqual(callsOf(replaceOne ?? []));
  expect(update(`${secret}COMPOSE_FILE=compose.yaml:compose.nodes.yaml\n`)).toEqual(
    callsOf([replaceOne, replaceOther].flat()),
  );
  expect(update(secret)).toBe(1);
});

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

test('alert rules: each names a part of the runbooks, and fires for its fault', () => {
  const runbooks = read('docs/operate/runbooks.md').toLowerCase();
  const named = [
    ...read('deploy/alerts.yaml').matchAll(/runbook: docs\/operate\/runbooks\.md#(.+)/g),
  ];
  const missing = named.filter(
    ([, anchor = '']) => !runbooks.includes(`\n## ${anchor.replaceAll('-', ' ')}\n`),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(missing.map(([, anchor]) => anchor)).toEqual([]);
  const firing = /alertname: (\w+)\n +exp_alerts:\n/g;
  const tested = [...read('tests/support/alerts.yaml').matchAll(firing)].map(([, name]) => name);
  const alerts = [...read('deploy/alerts.yaml').matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  expect(new Set(tested)).toEqual(new Set(alerts));
  const { error, status, stdout, stderr } = spawnSync(
    'promtool',
    ['test', 'rules', join(ROOT, 'tests/support/alerts.yaml')],
    { encoding: 'utf8' },
  );
  // It is in Debian's package prometheus.
  if (error) return;
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
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
  const program = '\nExecStart=/usr/bin/node --enable-source-maps dist/server/main.js\n';
  expect(read('deploy/tessera.service')).toContain(program);
  const command = '\nCMD ["node", "--enable-source-maps", "dist/server/main.js"]\n';
  expect(read('deploy/Dockerfile')).toContain(command);
  const start =
    '\n    "start": "node -r ./scripts/check-node.cjs --enable-source-maps scripts/start.mjs",\n';
  expect(read('package.json')).toContain(start);
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

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe' });

test('.gitattributes: a checkout that converts line ends has LF in every file but the vCards of other programs', () => {
  const [origin, checkout] = [newFolder(), newFolder()];
  const files = { '.gitattributes': read('.gitattributes'), 'x.sh': '#!/bin/sh\ntrue\n' };
  for (const [name, text] of Object.entries({ ...files, 'x.vcf': 'BEGIN:VCARD\r\n' }))
    writeFileSync(join(origin, name), text);
  git(origin, 'init', '--quiet');
  git(origin, 'add', '.');
  git(origin, '-c', 'user.name=x', '-c', 'user.email=x@example', 'commit', '-qm', 'x');
  git(checkout, 'clone', '--quiet', '-c', 'core.autocrlf=true', origin, 'copy');
  const copies = ['x.sh', 'x.vcf'].map((name) =>
    readFileSync(join(checkout, 'copy', name), 'utf8'),
  );
  expect(copies).toEqual([files['x.sh'], 'BEGIN:VCARD\r\n']);
});
