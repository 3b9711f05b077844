import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { DAY_MS, HOUR_MS } from '#domain/duration.ts';
import { databaseFile } from '#server/adapter/database/data-folder.ts';
import { runAdmin } from '#tests/support/admin.ts';
import { makeCertificate } from '#tests/support/certificate.ts';
import { newFolder } from '#tests/support/folder.ts';
import { exampleEnvironment } from '#tests/support/gateway.ts';
import { metricValues } from '#tests/support/metrics.ts';
import {
  createOwner,
  postPhoto,
  sendCode,
  sendRequest,
  signInByPhone,
} from '#tests/support/owner.ts';
import { twoHalves } from '#tests/support/picture.ts';
import { print } from '#tests/support/print.ts';
import { copyProgram, makeReadOnly } from '#tests/support/program-folder.ts';
import { listen } from '#tests/support/port.ts';
import { ENTRY, startServer } from '#tests/support/server.ts';
import { UNPRIVILEGED } from '#tests/support/unprivileged.ts';
import type { RunningServer } from '#tests/support/server.ts';

// Each fault of a running service shows in one line of the log, in /readyz, in the metrics of the alerts, and in doctor
// (docs/operate/monitoring.md#where-each-fault-shows).

const WAIT = { timeout: 20_000, interval: 200 };
const IDLE_MS = 60_000;
const DISK_BYTES = 64 * 1024 * 1024;
const NO_PUSH = { PUSH_TEST_ORIGIN: 'http://127.0.0.1:1' };
const isRoot = process.getuid?.() === 0;

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Mounts a small file system until the end of the test. */
function mountDisk(): string {
  const folder = newFolder();
  const [image, mountPoint] = [join(folder, 'disk'), join(folder, 'mounted')];
  mkdirSync(mountPoint);
  writeFileSync(image, '');
  truncateSync(image, DISK_BYTES);
  run('mkfs.ext4', '-q', '-F', image);
  run('mount', '-o', 'loop,errors=remount-ro', image, mountPoint);
  onTestFinished(() => vi.waitFor(() => void run('umount', mountPoint), WAIT));
  return mountPoint;
}

async function start(
  dataDir: string,
  environment: Record<string, string> = {},
  entry: string | readonly string[] = ENTRY,
) {
  const own = { DATA_DIR: dataDir, METRICS_PORT: '0', LOG_LEVEL: 'warn', ...NO_PUSH };
  const server = await startServer({ ...own, ...environment }, entry);
  onTestFinished(async () => void (await server.stop('SIGKILL')));
  return server;
}

/** Returns what shows a fault: the parts of /readyz, the metric of the alerts, failed checks of doctor, and the log. */
async function readSigns(server: RunningServer, environment: Record<string, string> = {}) {
  const { degraded, why } = (await (await fetch(`${server.origin}/readyz`)).json()) as {
    degraded?: string[];
    why?: string[];
  };
  const [, url = ''] = /^Metrics: (.*)$/m.exec(server.output()) ?? [];
  const metrics = await (await fetch(url)).text();
  const states = Object.entries(metricValues(metrics, 'tessera_degraded'));
  const alarmed = states.filter(([, value]) => value === 1).map(([state]) => state.slice(8, -2));
  const settings = { DATA_DIR: server.dataDir, ...NO_PUSH, ...environment };
  const { code, stdout } = await runAdmin(settings, 'doctor', '--json');
  const findings = JSON.parse(stdout) as Record<'check' | 'state' | 'detail', string>[];
  const failed = findings.filter(({ state }) => state === 'failed');
  return {
    readyz: why ?? degraded ?? [],
    alarmed: metricValues(metrics, 'tessera_ready')[''] === 1 ? alarmed : ['not ready'],
    doctor: code === 0 ? [] : failed.map(({ check }) => check),
    details: failed.map(({ detail }) => detail).join(' '),
    log: server.output(),
  };
}

const expectSigns = (server: RunningServer, signs: object, environment = {}) =>
  vi.waitFor(async () => {
    const found = await readSigns(server, environment);
    expect(found).toMatchObject(signs);
  }, WAIT);

/** Shifts the clock of a program by the milliseconds in a file. */
const shiftClock = (file: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `import { readFileSync } from 'node:fs'; const now = Date.now;
    Date.now = () => now() + Number(readFileSync('${file}', 'utf8'));`,
  )}`,
});

// Only root can mount a file system.
describe.skipIf(!isRoot)('faults', () => {
  test('a disk that becomes read-only: nothing is saved, and a start says so', async () => {
    const disk = mountDisk();
    const server = await start(join(disk, 'data'));
    await createOwner(server, '9876543210', { name: 'Asha Rao' });
    const [device = ''] = run('findmnt', '-no', 'SOURCE', disk).trim().split('/').slice(-1);
    writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, '1');
    await expectSigns(server, {
      readyz: ['writes', 'photos'],
      alarmed: ['writes', 'photos'],
      doctor: ['database', 'photos'],
      log: expect.stringMatching(
        /"writes":"(?:attempt to write a readonly database|disk I\/O error)","photos":"EROFS: /,
      ),
    });
    await server.stop();
    const reason = /DATA_DIR: the folder \S+ cannot be written \(EROFS\): its disk is read-only/;
    await expect(start(join(disk, 'data'))).rejects.toThrow(reason);
  });

  test('a disk that fails: the node is not ready', async () => {
    const disk = mountDisk();
    const server = await start(join(disk, 'data'));
    await createOwner(server, '9876543210', { name: 'Asha Rao' });
    run('xfs_io', '-x', '-c', 'shutdown', disk);
    await expectSigns(server, {
      readyz: ['database', 'photos'],
      alarmed: ['not ready'],
      doctor: ['database', 'photos'],
      details: expect.stringMatching(/tessera.sqlite cannot be opened \(EIO\)\. Check its disk\./),
      log: expect.stringContaining('"why":{"database":"EIO: '),
    });
  });

  test('a full disk: uploads and then saves fail', async () => {
    const disk = mountDisk();
    const server = await start(join(disk, 'data'));
    const owner = await createOwner(server, '9876543210', { name: 'Asha Rao' });
    const picture = await twoHalves({ width: 300, height: 300 }).png().toBuffer();
    // The database frees a little of the disk when its log is empty.
    const isUploadRejected = async () => {
      spawnSync('dd', ['if=/dev/zero', `of=${disk}/${performance.now()}`, 'bs=512']);
      return (await postPhoto(server, owner, picture)).status === 503;
    };
    await vi.waitUntil(isUploadRejected, WAIT);
    const save = () => {
      const call = { body: { bio: 'x'.repeat(200) }, token: owner.sessionToken };
      return sendRequest(server, `/user/updateUser/${owner._id}`, call).then(
        () => true,
        () => false,
      );
    };
    await vi.waitUntil(async () => !(await save()), { ...WAIT, interval: 0 });
    // A page of the database's log may still fit, so `writes` can be missing.
    await expectSigns(server, {
      readyz: expect.arrayContaining(['photos']),
      alarmed: expect.arrayContaining(['photos']),
      doctor: expect.arrayContaining(['disk', 'photos']),
      log: expect.stringMatching(/database or disk is full[^]*"photos":"The disk of \S+ is full\./),
    });
  });
});

test('wrong permissions: a photo folder of another user', async () => {
  const dataDir = newFolder();
  const server = await start(dataDir, {}, [...UNPRIVILEGED, process.execPath, ENTRY]);
  chmodSync(join(dataDir, 'photos'), 0);
  await expectSigns(server, {
    readyz: ['photos'],
    alarmed: ['photos'],
    log: expect.stringContaining('EACCES'),
  });
});

test('two processes on one folder: the second one does not start, and the first one says so', async () => {
  const dataDir = newFolder();
  const server = await start(dataDir);
  await expect(start(dataDir)).rejects.toThrow(
    `Another Tessera is running on the data folder ${dataDir}.`,
  );
  await expectSigns(server, {
    readyz: ['folder'],
    alarmed: ['folder'],
    doctor: ['folder'],
    details: expect.stringContaining('A second Tessera has tried to start'),
    log: expect.stringContaining('"why":{"folder":"A second Tessera has tried to start'),
  });
  await server.stop();
  await expectSigns(await start(dataDir), { readyz: [], alarmed: [], doctor: [] });
});

test('a clock far ahead: no contact is deleted', async () => {
  const dataDir = newFolder();
  const offset = join(newFolder(), 'offset');
  writeFileSync(offset, '0');
  const environment = { CONTACT_KEEP_DAYS: '30', ...shiftClock(offset) };
  const server = await start(dataDir, environment);
  const owner = await createOwner(server, '9876543210', { name: 'Asha Rao' });
  const contact = { name: 'Ravi', mobile: '9876512345' };
  await sendRequest(server, '/profile/addContact', { body: { userID: owner._id, contact } });
  await server.stop();
  writeFileSync(offset, String(400 * DAY_MS));
  const ahead = await start(dataDir, environment);
  await expectSigns(
    ahead,
    {
      readyz: ['cleanup'],
      alarmed: ['cleanup'],
      doctor: ['clock'],
      log: expect.stringContaining('so nothing was deleted'),
    },
    environment,
  );
  await ahead.stop();
  writeFileSync(offset, '0');
  const right = await start(dataDir, environment);
  await expectSigns(right, { readyz: [], alarmed: [], doctor: [] }, environment);
  const { stdout } = await runAdmin({ DATA_DIR: dataDir }, 'stats', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ contacts: 1 });
});

test('a queue that does not empty: doctor says so', async () => {
  const server = await start(newFolder());
  const owner = await createOwner(server, '9876543210', { name: 'Asha Rao' });
  await server.stop();
  const database = new DatabaseSync(databaseFile(server.dataDir));
  database
    .prepare(
      "INSERT INTO webhooks (webhook_id, user_id, endpoint, secret, next_at) VALUES ('1', ?, 'https://x.example', '', ?)",
    )
    .run(owner._id, Date.now() - DAY_MS);
  database.close();
  const { code, stdout } = await runAdmin({ DATA_DIR: server.dataDir, ...NO_PUSH }, 'doctor');
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/Failed +Queue: .*webhooks for 1440 minutes/),
  ]);
});

test('an expired certificate in front: doctor says so', async () => {
  const folder = newFolder();
  const { key } = makeCertificate(folder);
  const config =
    '[ca]\ndefault_ca=d\n[d]\ndatabase=index\nserial=serial\npolicy=p\n[p]\ncommonName=supplied\n';
  for (const [name, text] of Object.entries({ config, index: '', serial: '01\n' }))
    writeFileSync(join(folder, name), text);
  const openssl = (command: string) =>
    execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' });
  openssl(`req -new -key ${key} -subj /CN=localhost -out request.pem`);
  const dates = '-startdate 20200101000000Z -enddate 20200201000000Z';
  openssl(
    `ca -batch -selfsign -config config -keyfile ${key} -in request.pem -md sha256 -out expired.pem -outdir . -notext ${dates}`,
  );
  const certificate = join(folder, 'expired.pem');
  const proxy = createServer({ key: readFileSync(key), cert: readFileSync(certificate) });
  onTestFinished(() => void proxy.close());
  const { port } = new URL(await listen(proxy));
  const server = await start(folder);
  const site = { PUBLIC_URL: `https://localhost:${port}`, NODE_EXTRA_CA_CERTS: certificate };
  await expectSigns(
    server,
    {
      readyz: [],
      doctor: ['PUBLIC_URL'],
      details: expect.stringContaining('(CERT_HAS_EXPIRED). Renew it.'),
    },
    site,
  );
});

test('a gateway that rejects: the log, the metric and doctor name it', async () => {
  const gateway = createHttpServer((_request, response) => response.writeHead(401).end('{}'));
  onTestFinished(() => void gateway.close());
  const settings = exampleEnvironment('twilio', await listen(gateway));
  const server = await start(newFolder(), settings);
  await expect(sendCode(server, '9876543210')).rejects.toThrow('503');
  const details = 'twilio: The key is wrong, or it has expired.';
  const log = expect.stringContaining('Twilio has not accepted a request (status 401)');
  await expectSigns(server, { readyz: [], doctor: ['gateway'], details, log }, settings);
});

/** Reads the processor time of a process in seconds, and its memory in MB (proc_pid_stat(5), proc_pid_status(5)). */
function readUse(pid: number) {
  const [utime, stime] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/.*\) /, '')
    .split(' ')
    .slice(11, 13);
  const [, memory] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { seconds: (Number(utime) + Number(stime)) / 100, memoryMb: Number(memory) / 1024 };
}

test.skipIf(!isRoot)(
  'a small machine: a read-only program, a path with spaces, umask 077, no DNS, IPv6 only, and little at rest',
  async () => {
    const folder = newFolder();
    const program = join(folder, 'the program');
    copyProgram(program);
    onTestFinished(makeReadOnly(program));
    const dataDir = join(folder, 'the data');
    const entry = join(program, 'dist/server/main.js');
    const script = 'mount --bind /dev/null /etc/resolv.conf; umask 077; exec "$0" "$@"';
    const command = ['unshare', '--mount', 'sh', '-c', script, process.execPath, entry];
    const { origin, ...server } = await start(dataDir, { HOST: '::1' }, command);
    const service = { ...server, origin: origin.replace('localhost', '[::1]') };
    const owner = await createOwner(service, '9876543210', { name: 'Asha Rao' });
    const large = await twoHalves({ width: 4000, height: 3000 }).jpeg().toBuffer();
    expect((await postPhoto(service, owner, large)).status).toBe(200);
    const backup = join(folder, 'the backup');
    const tessera = join(program, 'scripts/tessera.sh');
    const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
    const output = execFileSync(tessera, ['backup', backup], { env, encoding: 'utf8' });
    expect(output).toContain('the database and 6 photo files');
    await pause(IDLE_MS);
    const pid = Number(run('pgrep', '-f', entry).trim());
    const before = readUse(pid);
    await pause(IDLE_MS);
    const { seconds, memoryMb } = readUse(pid);
    const share = (seconds - before.seconds) / (IDLE_MS / 1000);
    print(
      `at rest after a photo and a backup: ${memoryMb.toFixed(0)} MB, ${(100 * share).toFixed(2)} % of a core`,
    );
    expect(memoryMb).toBeLessThan(150);
    // On a quiet machine it is below 0.5 %.
    expect(share).toBeLessThan(0.01);
  },
);

test('a clock an hour ahead that is set right: everything works without a restart', async () => {
  const offset = join(newFolder(), 'offset');
  writeFileSync(offset, String(HOUR_MS));
  const server = await start(newFolder(), shiftClock(offset));
  const owner = await createOwner(server, '9876543210', { name: 'Asha Rao' });
  const connect = (name: string) =>
    sendRequest(server, '/profile/addContact', {
      body: { userID: owner._id, contact: { name, mobile: '9876512345' } },
    });
  await connect('Ravi');
  writeFileSync(offset, '0');
  await connect('Meera');
  const again = await signInByPhone(server, '9876543210');
  const { sessionToken: token } = again;
  await sendRequest(server, `/user/updateUser/${owner._id}`, { body: { name: 'Asha' }, token });
  expect(await sendRequest(server, `/user/${owner._id}`)).toMatchObject({ name: 'Asha' });
  const contacts = await sendRequest<{ name: string }[]>(
    server,
    `/profile/getContacts/${owner._id}`,
    { token },
  );
  expect(contacts.map(({ name }) => name).toSorted()).toEqual(['Meera', 'Ravi']);
  await expectSigns(server, { readyz: [], alarmed: [] });
});
