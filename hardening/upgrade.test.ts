import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';

import { newFolder } from '#tests/support/folder.ts';
import { startLoad } from '#tests/support/load.ts';
import { createOwner, sendRequest } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import { administer, databaseUrl, startCluster } from '#tests/support/postgres.ts';
import {
  FIRST_COMMIT,
  buildRelease,
  buildVersion,
  findPreviousVersions,
  readVersion,
} from '#tests/support/previous-version.ts';
import type { BuiltVersion } from '#tests/support/previous-version.ts';
import { print } from '#tests/support/print.ts';
import { startProxy } from '#tests/support/proxy.ts';
import { startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';

// The steps of docs/operate/upgrade.md, from previous versions to the archive of this one and back.

type Environment = Record<string, string>;

const run = promisify(execFile);
const LOAD_MS = 3000;
const REQUESTS_MIN = 50;
const WAIT = { timeout: 20_000, interval: 20 };
const OWNERS = ['9876500001', '9876500002', '9876500003'];
const UNTOUCHED_PHONE = '9876500009';

const versions = findPreviousVersions();
if (versions.length === 0) print('Skipped: this clone has no commit of a previous version.');

const latest = buildRelease();
afterAll(() => latest.remove());

describe.each(versions)('upgrade from %s', (previous) => {
  /** Nodes of 1.x stop before the first one of this version starts. */
  const isRolling = !readVersion(previous).startsWith('1.');
  let old: ReturnType<typeof buildVersion>;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let folder: string;
  const nodes: RunningServer[] = [];

  beforeAll(() => {
    old = buildVersion(previous);
    return () => old.remove();
  });
  beforeEach(async () => {
    folder = newFolder();
    proxy = await startProxy();
    return async () => {
      proxy.close();
      await Promise.all(nodes.splice(0).map((node) => node.stop('SIGKILL')));
    };
  });

  async function addNode({ entry }: BuiltVersion, environment: Environment) {
    const node = await startServer({ ...environment, DRAIN_SECONDS: '2' }, entry);
    nodes.push(node);
    proxy.add(node.origin);
    await vi.waitUntil(() => proxy.isReady(node.origin), WAIT);
  }

  async function stopNode(): Promise<void> {
    const node = nodes.shift();
    expect(await node?.stop('SIGTERM')).toBe(0);
    if (node) proxy.remove(node.origin);
  }

  const readCard = ({ _id }: Owner) => sendRequest(proxy, `/user/${_id}`);

  async function upgradeAndRestore(environments: readonly Environment[], empty: Environment) {
    const common = { TRUST_PROXY: '127.0.0.1', PATH: process.env['PATH'] ?? '' };
    const present = environments.map((one) => ({ ...common, ...one }));
    for (const environment of present) await addNode(old, environment);
    const [node] = nodes as [RunningServer];
    const owners = await Promise.all(OWNERS.map((phone) => createOwner(node, phone)));
    const untouched = await createOwner(node, UNTOUCHED_PHONE, { name: 'Before the upgrade' });
    const card = await readCard(untouched);

    const load = startLoad(proxy.origin, owners);
    await pause(LOAD_MS);
    const backup = join(folder, 'backup');
    // This version's backup of the previous schema; the previous version restores it.
    await run(process.execPath, [latest.command, 'backup', backup], { env: present[0] });
    if (!isRolling) {
      await load.stop();
      while (nodes.length > 0) await stopNode();
    }
    for (const environment of present) {
      if (isRolling) await stopNode();
      await addNode(latest, environment);
      if (isRolling) await pause(LOAD_MS);
    }
    if (isRolling) await load.stop();
    const { read, save, contact } = load.sent;
    print(`${read} reads, ${save} saves and ${contact} contacts, ${load.failures.length} failed`);
    expect(load.failures).toEqual([]);
    // For a moment another node may show an earlier card (docs/operate/scaling.md#several-nodes).
    await expect.poll(() => load.findLosses(), WAIT).toEqual([]);
    expect(Math.min(read, save, contact)).toBeGreaterThan(REQUESTS_MIN);
    expect(await readCard(untouched)).toEqual(card);

    while (nodes.length > 0) await stopNode();
    // Version 1.x does not start on the new schema. From 2.0 on it does, because migrations only add.
    if (isRolling) {
      for (const environment of present) await addNode(old, environment);
      expect(await readCard(untouched)).toEqual(card);
      while (nodes.length > 0) await stopNode();
    } else await expect(startServer(present[0], old.entry)).rejects.toThrow(/from a newer version/);
    const target = { ...common, ...empty };
    // The first version does not ask for the database that is replaced.
    const { DATABASE_URL, DATA_DIR = '' } = environments[0] ?? {};
    const flags = previous.startsWith(FIRST_COMMIT) ? [] : ['--present', DATABASE_URL ?? DATA_DIR];
    await run(process.execPath, [old.command, 'restore', backup, ...flags], { env: target });
    await addNode(old, target);
    expect(await readCard(untouched)).toEqual(card);
    for (const owner of owners) expect(await readCard(owner)).toMatchObject({ _id: owner._id });
  }

  test('upgrade: on SQLite, no request fails, nothing is lost, and a backup restores the previous version', async () => {
    const [data, restored] = ['data', 'restored'].map((name) => ({ DATA_DIR: join(folder, name) }));
    await upgradeAndRestore([data ?? {}], restored ?? {});
  });

  test('upgrade: on PostgreSQL, no request fails, and nodes of 2.x serve beside those of this version', async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    await administer(cluster.url, 'CREATE DATABASE restored');
    const environment = (name: string, database: string) => {
      mkdirSync(join(folder, name));
      return { DATA_DIR: join(folder, name), DATABASE_URL: databaseUrl(cluster.url, database) };
    };
    const present = ['one', 'two'].map((name) => environment(name, 'postgres'));
    await upgradeAndRestore(present, environment('restored', 'restored'));
  });
});
