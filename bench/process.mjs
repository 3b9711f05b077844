// Starts and measures processes.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const KIB = 1024;
const NS_PER_MS = 1e6;
const POLL_MS = 10;
const children = new Set();

/**
 * Starts Node with `args`; resolves when the program has printed its port. `cores` are those that it
 * may use (taskset). Its output goes to a file, as the log of a service does.
 */
export async function startNode(args, { env = {}, cores = '0', folder }) {
  const file = join(folder, `output-${children.size}-${Date.now()}.txt`);
  const descriptor = openSync(file, 'w');
  const child = spawn('taskset', ['-c', cores, process.execPath, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', descriptor, 'inherit'],
  });
  closeSync(descriptor);
  children.add(child);
  const exited = new Promise((resolve) => {
    child.on('exit', (code) => {
      children.delete(child);
      resolve(code);
    });
  });
  const output = () => readFileSync(file, 'utf8');
  // baseline.mjs prints a bare port, the service a URL.
  const readPort = () => /(?:^|http:.*:)(\d+)$/m.exec(output())?.[1];
  while (readPort() === undefined) {
    if (child.exitCode !== null) throw new Error(`The program ended: ${output()}`);
    await delay(POLL_MS);
  }
  return {
    pid: child.pid,
    origin: `http://127.0.0.1:${readPort()}`,
    output,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}

/** Ends everything that was started and has not ended. */
export function killAll() {
  for (const child of children) child.kill('SIGKILL');
}

/**
 * Returns the CPU time of a process in milliseconds, all its threads together: the first field of
 * /proc/pid/task/tid/schedstat, in nanoseconds.
 */
export function cpuMs(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const ns = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8'));
  return ns.reduce((sum, text) => sum + Number(text.split(' ', 1)[0]), 0) / NS_PER_MS;
}

/** Returns the resident memory of a process in MB. */
export function memoryMb(pid) {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return (Number(kib) * KIB) / 1e6;
}

/** A tick of /proc/pid/stat. */
const TICK_MS = 10;

/** Returns the CPU time in milliseconds of the processes that a process has started and that have ended. */
export function childrenCpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  // cutime and cstime (proc(5)), without the first two fields.
  const [user, system] = fields.slice(13, 15);
  return (Number(user) + Number(system)) * TICK_MS;
}
