import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { makeCertificate } from './support/certificate.ts';
import { createPostgres } from './support/database.ts';
import { newFolder } from './support/folder.ts';
import { writeNginxFile } from './support/nginx.ts';
import { createOwner } from './support/owner.ts';
import type { Owner } from './support/owner.ts';
import { copyProgram, makeReadOnly } from './support/program-folder.ts';
import { startServer } from './support/server.ts';
import type { RunningServer } from './support/server.ts';
import { UNPRIVILEGED } from './support/unprivileged.ts';

const ROOT = join(import.meta.dirname, '..');
const readDocument = (name: string) => readFileSync(join(ROOT, 'docs/operate', name), 'utf8');
const INDEX = readDocument('README.md');
const PHONE = '9876500001';
const NO_REGISTRY = 'http://127.0.0.1:1';

/**
 * What happens to a command of the pages:
 * - run: it runs, on a service with SQLite, and must succeed;
 * - service: it starts or stops the service of this test;
 * - program: it runs where its program is installed, else it is checked;
 * - check: the shell parses it, and the files of the repository that it names exist. It needs root,
 *   containers or the network;
 * - or the test file that runs it.
 */
const PROGRAMS: Readonly<Record<string, string>> = {
  run: 'cd npm node install curl mv ls df du date echo',
  program: 'systemd-analyze openssl caddy nginx promtool restic',
  check:
    'fuser cp ln rm certbot rclone rsync timedatectl mkdir git docker podman systemctl journalctl pg_dump pg_restore',
  'tests/wrapper.test.ts': 'tessera /usr/local/bin/tessera',
  'hardening/image.test.ts': 'podman-compose',
  'hardening/deploy.test.ts': 'psql systemd-run sha256sum tar /opt/tessera/tessera',
};
const WITH_POSTGRES = inject('postgresUrl') === '' ? 'check' : 'run';
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'npm start': 'scripts/start.test.mjs',
  // `npm test` does both before this test.
  'npm ci': 'check',
  'npm run build': 'check',
  'docker exec tessera node healthcheck.mjs /readyz': 'tests/deploy.test.ts',
  'COMPOSE=docker-compose deploy/update.sh': 'tests/deploy.test.ts',
  "COMPOSE='podman compose' deploy/update.sh": 'tests/deploy.test.ts',
  'deploy/update.sh': 'tests/deploy.test.ts',
  'install -m 0600 deploy/example.env deploy/.env': 'hardening/deploy.test.ts',
  'openssl s_client -connect cards.example.com:443 -servername cards.example.com </dev/null | openssl x509 -noout -enddate':
    'check',
  'echo DATA_DIR=/data/restored >> .env': 'check',
  'systemctl stop tessera': 'service',
  'systemctl restart tessera': 'service',
  'systemctl start tessera': 'service',
  'mv -T /var/lib/private/tessera /var/lib/private/tessera-before': 'check',
  'cd /opt/tessera-next && git checkout "$VERSION" && npm ci && npm run build && systemctl stop tessera && rm -rf /opt/tessera-previous && mv -T /opt/tessera /opt/tessera-previous && mv -T /opt/tessera-next /opt/tessera':
    'check',
  'DATA_DIR=/var/lib/tessera /opt/tessera/tessera start': 'hardening/deploy.test.ts',
  'DATA_DIR=/var/lib/tessera-one npm run restore -- --bring-back /backups/2026-11-20': 'run',
  'DATA_DIR=/var/lib/tessera-one HOST=127.0.0.1 PORT=3001 SMS_GATEWAY=console npm start': 'check',
  'DATA_DIR=/var/lib/tessera DATABASE_URL=postgres://tessera:password@localhost/tessera npm run move-data':
    WITH_POSTGRES,
  'DATABASE_URL=postgres://tessera:password@localhost/tessera npm run backup -- /backups/back':
    WITH_POSTGRES,
  'DATA_DIR=/var/lib/tessera-back npm run restore -- --bring-back /backups/back': WITH_POSTGRES,
};

const programOf = (command: string) =>
  command.split(' ').find((word) => !/^[A-Z]+=/.test(word)) ?? '';
const treatmentOf = (command: string) =>
  EXCEPTIONS[command] ??
  Object.keys(PROGRAMS).find((one) => PROGRAMS[one]?.split(' ').includes(programOf(command)));

const PAGES = [...INDEX.matchAll(/^\d+\. \[.+?\]\((.+?\.md)\)/gm)].map(([, name = '']) => name);

/** Every command of this page needs root on a server with a public name, so all of them are checked. */
const CHECKED_PAGE = 'online.md';

function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```(sh|cron)\n([^]*?)^```/gm)];
  // The time of a cron job is no part of its command.
  return blocks.flatMap(([, language, lines = '']) =>
    lines
      .trim()
      .replace(language === 'cron' ? /^(?:\S+ ){5}/gm : '', '')
      .split('\n'),
  );
}

/** Runs a command; returns its output, which begins with FAILED after an error. */
function runShell(command: string, environment = {}, cwd = ROOT): Promise<string> {
  return new Promise((resolve) => {
    const options = { cwd, env: { PATH: process.env['PATH'] ?? '', ...environment } };
    const [program, ...args] = [...UNPRIVILEGED, 'bash', '-c', command];
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve(error ? `FAILED: ${command}\n${stdout}${stderr}` : stdout),
    );
  });
}

/** Returns the paths of commands that do not exist, and an error of their syntax. */
async function checkCommands(commands: readonly string[]): Promise<string[]> {
  const text = commands.join('\n');
  const paths = text.match(/(?<![\w/])(?:deploy|dist)\/[\w./-]+|\.env\.example/g) ?? [];
  // An earlier command of the page creates this file.
  const missing = paths.filter((path) => path !== 'deploy/.env' && !existsSync(join(ROOT, path)));
  const failure = await runShell('bash -n -c "$COMMANDS"', { COMMANDS: text });
  return [failure, ...missing].filter(Boolean);
}

async function isRunHere(command: string): Promise<boolean> {
  const treatment = treatmentOf(command) ?? '';
  if (treatment !== 'program') return ['run', 'service'].includes(treatment);
  return (await runShell(`command -v ${programOf(command)}`)).startsWith('/');
}

test('docs/operate/README.md: lists the pages in order, and each page has a title', () => {
  const pages =
    'online install settings proxy backup restore upgrade monitoring admin runbooks scaling';
  expect(PAGES.join(' ').replaceAll('.md', '')).toBe(pages);
  for (const page of PAGES) expect(readDocument(page)).toMatch(/^# [A-Z]/);
});

test('pages of the operator: every command is run or checked here, and the exceptions are among them', () => {
  const commands = new Set(PAGES.flatMap((page) => commandsOf(readDocument(page))));
  const checked = new Set(commandsOf(readDocument(CHECKED_PAGE)));
  const known = (command: string) => checked.has(command) || treatmentOf(command) !== undefined;
  expect([...commands].filter((command) => !known(command))).toEqual([]);
  expect(Object.keys(EXCEPTIONS).filter((command) => !commands.has(command))).toEqual([]);
  // A command in an indented block would have none.
  const indented = /^ {4}(?:npm|node|docker|git|curl|systemctl|psql) .*/gm;
  expect(PAGES.flatMap((page) => readDocument(page).match(indented) ?? [])).toEqual([]);
  const files = Object.values(EXCEPTIONS).filter((treatment) => treatment.includes('.test.'));
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('upgrade and restore: at the second time a folder is never moved into that of the first, and only a program is replaced', async () => {
  const lines = ['upgrade.md', 'restore.md'].flatMap((page) => commandsOf(readDocument(page)));
  const moves = lines.filter((line) => line.includes('mv '));
  expect(moves).toHaveLength(5);
  for (const line of moves) {
    const root = newFolder();
    const parts = line.split(' && ').filter((part) => /^(?:rm|mv) /.test(part));
    const command = parts.join(' && ').replaceAll(' /', ` ${root}/`);
    const folders = command.match(/\/[\w./-]+/g)?.map((path) => `${path}/dist`);
    await runShell(`mkdir -p ${folders?.join(' ')}`);
    const output = line.includes('/opt/') ? '' : expect.stringContaining('Directory not empty');
    expect([line, await runShell(command)]).toEqual([line, output]);
    expect(await runShell("find . -path '*/tessera*/tessera*'", {}, root)).toBe('');
  }
});

test('commands that are checked: a deliberate wrong one is found', async () => {
  expect(await checkCommands(['docker run "$(x', 'cp deploy/none.yaml /etc/'])).toEqual([
    expect.stringContaining('FAILED'),
    'deploy/none.yaml',
  ]);
  const text = '```sh\na\nb\n```\n\n```cron\n1 2 * * * c d\n```\n';
  expect(commandsOf(text)).toEqual(['a', 'b', 'c d']);
});

describe('commands of the pages', () => {
  let folder: string;
  /** The program, which its user cannot change. */
  let program: string;
  let makeWritable: () => void;
  let server: RunningServer;
  let owner: Owner;
  let postgres: Awaited<ReturnType<typeof createPostgres>> | null = null;

  const start = async () => {
    server = await startServer({ DATA_DIR: join(folder, 'data'), METRICS_PORT: '0' });
  };
  const addOwner = async () => {
    owner = await createOwner(server, PHONE, { name: 'Asha Rao' });
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tessera-operating-'));
    program = join(folder, 'program');
    copyProgram(program);
    makeWritable = makeReadOnly(program);
    await start();
    await addOwner();
    if (inject('postgresUrl') !== '') postgres = await createPostgres();
  });
  afterAll(async () => {
    await server.stop();
    await postgres?.drop();
    makeWritable();
    rmSync(folder, { recursive: true });
  });

  /** The example values of docs/operate/README.md#examples and what replaces them. */
  const replacements = (): Record<string, string> => ({
    '/opt/tessera': program,
    '/var/lib/tessera': join(folder, 'data'),
    '/etc/tessera.env': join(folder, 'tessera.env'),
    '/backups': join(folder, 'backups'),
    'postgres://tessera:password@localhost/tessera': postgres?.url ?? '',
    'http://localhost:3000': server.origin,
    'http://localhost:9100': /Metrics: (.*)\/metrics/.exec(server.output())?.[1] ?? '',
    'cards.example.com': 'cards.example.com',
    AbCdEfGhJkMnPqRs: owner._id,
    '+919876543210': `+91${PHONE}`,
    $VERSION: '$VERSION',
  });

  /** The scripts that npm has run. It takes as long as they do, so it runs each once. */
  const runByNpm = new Set<string>();

  function withValues(command: string): string {
    return Object.entries(replacements())
      .reduce((text, [example, value]) => text.replaceAll(example, value), command)
      .replace(/npm run (?:--silent )?([\w-]+)(?: --)?/, (npm, name: string) => {
        const isFirst = !runByNpm.has(name);
        runByNpm.add(name);
        return isFirst ? npm : `node scripts/command.mjs ${name}`;
      })
      .replace('nginx -t', `nginx -t -c ${join(folder, 'nginx.conf')}`);
  }

  function writeSample(): void {
    const { certificate, key } = makeCertificate(folder);
    const sample = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8')
      .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)
      .replace(/access_log \/\S+/, `access_log ${join(folder, 'access.log')}`);
    writeNginxFile(folder, sample);
  }

  async function runHere(command: string): Promise<string> {
    // The name of a dated backup has its second.
    if (command.includes('--keep')) await pause(1000);
    if (treatmentOf(command) === 'service') {
      await server.stop();
      if (!command.includes(' stop ')) await start();
      return '';
    }
    const npm = { npm_config_registry: NO_REGISTRY, npm_config_fetch_retries: '0' };
    const restic = {
      RESTIC_REPOSITORY: join(folder, 'off-site'),
      RESTIC_PASSWORD_FILE: join(folder, 'restic-password'),
    };
    const data = { DATA_DIR: join(folder, 'data'), USER: 'asha', HOME: folder };
    const environment = { ...data, ...npm, ...restic };
    const output = await runShell(withValues(command), environment, program);
    return output.startsWith('FAILED') ? output : '';
  }

  test('docs/operate/README.md#examples: has exactly the values that are replaced here', () => {
    const section = INDEX.slice(INDEX.indexOf('## Examples'));
    const cells = [...section.matchAll(/^\| (`.*?) +\|/gm)].map(([, cell = '']) => cell);
    const values = cells.flatMap((cell) => cell.split(', ').map((value) => value.slice(1, -1)));
    expect(values).toEqual(Object.keys(replacements()));
  });

  test('folder of the program: cannot be changed', async () => {
    const output = await runShell('touch dist/new node_modules/new', {}, program);
    expect(output).toMatch(/FAILED[^]*dist\/new[^]*node_modules\/new/);
  });

  for (const page of PAGES) {
    const commands = commandsOf(readDocument(page));
    if (commands.length === 0) continue;
    test(`docs/operate/${page}: its commands work in their order`, async () => {
      if (page === 'proxy.md') writeSample();
      if (page === 'backup.md') writeFileSync(join(folder, 'restic-password'), 'long');
      const others: string[] = [];
      for (const command of commands) {
        if (page !== CHECKED_PAGE && (await isRunHere(command)))
          expect(await runHere(command)).toBe('');
        else others.push(command);
      }
      expect(await checkCommands(others)).toEqual([]);
      const card = await fetch(`${server.origin}/api/user/${owner._id}`);
      const isRemoved = commands.some((command) => command.includes('-- remove '));
      expect(card.status).toBe(isRemoved ? 400 : 200);
      if (isRemoved) await addOwner();
    });
  }
});
