import { pino } from 'pino';
import type { Logger } from 'pino';

const STANDARD_OUTPUT = 1;
/** The buffer for lines that cannot be written yet. Lines beyond it are lost. */
const UNWRITTEN_BYTES_MAX = 4 * 1024 * 1024;
/** pino retries a full pipe every 0.1 s. */
const WRITE_ATTEMPTS_MAX = 20;
/** Lines are written together when they have this length, or after this time. */
const COLLECTED_BYTES = 4096;
const COLLECT_MS = 200;
const FLUSH_TIMEOUT_MS = 1000;

/** A phone number, with or without its +. */
const PHONE = /\+?\d{8,15}/g;
/** A token, our own or a provider's. */
const TOKEN = /[\w-]{32,}(?:\.[\w-]+)*/g;

/**
 * If a write fails, its lines are kept until the next write, and the service can still be stopped.
 */
export function openLogOutput(fd = STANDARD_OUTPUT) {
  let failures = 0;
  const output = pino.destination({
    fd,
    sync: false,
    minLength: COLLECTED_BYTES,
    periodicFlush: COLLECT_MS,
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

/** JSON lines. Headers, bodies and tokens are never logged (docs/security.md#logs). */
export function openLog(level: string, node: string, output = openLogOutput()) {
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
  return { log, writeRequestLine: isEnabled ? (line: string) => void output.write(line) : null };
}

export async function flushLog(log: Logger): Promise<void> {
  const written = new Promise<void>((resolve) => log.flush(() => resolve()));
  await Promise.race([written, new Promise((resolve) => setTimeout(resolve, FLUSH_TIMEOUT_MS))]);
}

interface ErrorLine {
  readonly type: string;
  readonly message: string;
  readonly code?: string | undefined;
  readonly stack?: string | undefined;
  readonly cause?: ErrorLine | undefined;
}

/** Other properties could have the values of a row, or the headers that a client sent. */
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

/** Hides phone numbers and tokens in a text that somebody else wrote. */
export function redact(text: string): string {
  return text.replace(TOKEN, '[hidden]').replace(PHONE, '[hidden]');
}
