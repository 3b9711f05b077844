import { writeSync } from 'node:fs';

import { pino } from 'pino';

const STANDARD_OUTPUT = 1;
/** The buffer for lines that cannot be written yet. Lines beyond it are lost. */
const UNWRITTEN_BYTES_MAX = 4 * 1024 * 1024;
/** pino retries a full pipe every 0.1 s. */
const WRITE_ATTEMPTS_MAX = 20;
/** Collected lines are written when they have this length. */
const COLLECTED_LENGTH_MAX = 16 * 1024;
/** The longest that a line waits for others. */
const COLLECT_MS = 200;

/** The output of a log, a pino stream. */
export interface LogOutput {
  /** Writes a line together with others. */
  write(line: string): void;
  /** Writes everything; calls back when it is written. */
  flush(callback: (error?: Error) => void): void;
  /** Writes everything before it returns. */
  flushSync(): void;
}

/**
 * Returns an output with asynchronous writes, by default standard output. If a write fails (a full
 * disk, a pipe without a reader), its lines are buffered until the next write, up to a limit. The
 * service continues, and can still be stopped. Everything is written before the process exits.
 */
export function openLogOutput(fd = STANDARD_OUTPUT): LogOutput {
  const output = openDestination(fd);
  // pino's destination collects lines too, but measures all of them for each line.
  let collected = '';
  let timer: NodeJS.Timeout | null = null;

  const takeCollected = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    const lines = collected;
    collected = '';
    return lines;
  };
  const writeCollected = () => {
    if (collected !== '') output.write(takeCollected());
  };
  // An asynchronous write would not end before the exit.
  const writeCollectedSync = () => {
    try {
      writeSync(fd, takeCollected());
    } catch {
      // Nobody reads it, or the disk is full.
    }
  };
  process.prependListener('exit', writeCollectedSync);

  return {
    write(line) {
      collected += line;
      timer ??= setTimeout(writeCollected, COLLECT_MS).unref();
      if (collected.length >= COLLECTED_LENGTH_MAX) writeCollected();
    },
    flush(callback) {
      writeCollected();
      output.flush(callback);
    },
    flushSync() {
      output.flushSync();
      writeCollectedSync();
    },
  };
}

function openDestination(fd: number) {
  let failures = 0;
  const output = pino.destination({
    fd,
    sync: false,
    // With the default of 0, a flush would end before the lines are written.
    minLength: 1,
    maxLength: UNWRITTEN_BYTES_MAX,
    retryEAGAIN: () => {
      failures += 1;
      return failures < WRITE_ATTEMPTS_MAX;
    },
  });
  output.on('write', () => (failures = 0));
  output.on('error', () => (failures += 1));
  // Runs before pino's own listener, which would retry until everything is written.
  process.prependListener('exit', () => failures > 0 && output.destroy());
  return output;
}
