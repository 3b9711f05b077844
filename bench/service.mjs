// Starts and measures the service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const KIB = 1024;
const NS_PER_MS = 1e6;
const POLL_MS = 5;
const ENVIRONMENT = {
  PORT: '0',
  HOST: '127.0.0.1',
  NODE_ENV: 'production',
  SMS_GATEWAY: 'console',
  LOG_LEVEL: 'error',
  TRUST_PROXY: '127.0.0.1',
};
const children = new Set();
let started = 0;

/** Starts a checkout's build on `cores` (taskset), and resolves as soon as it serves. */
export async function startService(checkout, { dataDir, folder, cores = '0', env = {} }) {
  const file = join(folder, `output-${(started += 1)}.txt`);
  const descriptor = openSync(file, 'w');
  const program = join(checkout, 'dist/server/main.js');
  const startedAt = performance.now();
  const child = spawn('taskset', ['-c', cores, process.execPath, program], {
    env: { PATH: process.env.PATH, ...ENVIRONMENT, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', descriptor, 'inherit'],
  });
  closeSync(descriptor);
  children.add(child);
  const exited = once(child, 'exit').then(() => children.delete(child));
  let port;
  while (port === undefined) {
    const output = readFileSync(file, 'utf8');
    port = /http:.*:(\d+)$/m.exec(output)?.[1];
    if (child.exitCode !== null) throw new Error(`${program} ended: ${output}`);
    await delay(POLL_MS);
  }
  const { pid } = child;
  return {
    origin: `http://127.0.0.1:${port}`,
    startMs: performance.now() - startedAt,
    cpuMs: () => cpuMs(pid),
    memoryMb: () => memoryMb(pid),
    stop: () => {
      child.kill();
      return exited;
    },
  };
}

/** Ends everything that was started and has not ended. */
export function killAll() {
  for (const child of children) child.kill('SIGKILL');
}

/** The first field of /proc/pid/task/tid/schedstat is a thread's processor time in nanoseconds. */
function cpuMs(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const ns = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8'));
  return ns.reduce((sum, text) => sum + Number(text.split(' ', 1)[0]), 0) / NS_PER_MS;
}

function memoryMb(pid) {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return (Number(kib) * KIB) / 1e6;
}
