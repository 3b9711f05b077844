import { pino } from 'pino';
import type { Logger } from 'pino';

const STANDARD_OUTPUT = 1;
/** The buffer for lines that cannot be written yet. Lines beyond it are lost. */
const UNWRITTEN_BYTES_MAX = 4 * 1024 * 1024;
/** pino retries a full pipe every 0.1 s. */
const TRIES_MAX = 20;
const FLUSH_MS = 1000;
/** Lines are written when this much has been collected. */
const BUFFER_BYTES = 8 * 1024;
/** The longest that a line waits for others. */
const FLUSH_EVERY_MS = 200;

/** A phone number, with or without its +; and a token, our own or a provider's. */
const PHONE = /\+?\d{8,15}/g;
const TOKEN = /[\w-]{32,}(?:\.[\w-]+)*/g;

/** A log and a function that writes a finished line to its output; null if `info` is not logged. */
export interface OpenLog {
  readonly log: Logger;
  readonly writeRequestLine: ((line: string) => void) | null;
}

/**
 * Opens a log of JSON lines on standard output, with the name of this node. Headers, bodies and
 * tokens are never logged (docs/security.md#logs).
 */
export function openLog(level: string, node: string): OpenLog {
  const output = openOutput();
  const log = pino(
    {
      level,
      base: { node },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    output,
  );
  const isEnabled = log.isLevelEnabled('info');
  return { log, writeRequestLine: isEnabled ? (line) => void output.write(line) : null };
}

/**
 * Returns standard output with asynchronous writes. If a write fails (a full disk, a pipe without a
 * reader), its lines are buffered until the next write, up to a limit. The service continues, and
 * can still be stopped.
 */
function openOutput() {
  let failures = 0;
  const output = pino.destination({
    fd: STANDARD_OUTPUT,
    sync: false,
    // Lines are written together. At a stop and after a crash the rest is written first.
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    maxLength: UNWRITTEN_BYTES_MAX,
    retryEAGAIN: () => {
      failures += 1;
      return failures < TRIES_MAX;
    },
  });
  output.on('write', () => (failures = 0));
  output.on('error', () => (failures += 1));
  // Runs before pino's own listener, which would retry until everything is written.
  process.prependListener('exit', () => failures > 0 && output.destroy());
  return output;
}

/** Waits until all lines are written, at most a second. */
export async function flushLog(log: Logger): Promise<void> {
  const written = new Promise<void>((resolve) => log.flush(() => resolve()));
  await Promise.race([written, new Promise((resolve) => setTimeout(resolve, FLUSH_MS))]);
}

interface ErrorLine {
  readonly type: string;
  readonly message: string;
  readonly code?: string | undefined;
  readonly stack?: string | undefined;
  readonly cause?: ErrorLine | undefined;
}

/**
 * Returns what is logged of an error. Its other properties are left out, because a database error
 * can contain the values of a row, and an HTTP client's error the headers that it sent.
 */
export function describeError(error: unknown): ErrorLine {
  if (!(error instanceof Error)) return { type: typeof error, message: redact(String(error)) };
  return {
    type: error.name,
    message: redact(error.message),
    code: 'code' in error ? String(error.code) : undefined,
    stack: error.stack && redact(error.stack),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}

/** Redacts phone numbers and tokens, in paths and in error messages from other libraries. */
export function redact(text: string): string {
  return text.replace(TOKEN, '[hidden]').replace(PHONE, '[hidden]');
}
