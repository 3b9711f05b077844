import { pino } from 'pino';
import type { Logger } from 'pino';

const STANDARD_OUTPUT = 1;
/** Lines that cannot be written are kept up to so many bytes. */
const UNWRITTEN_BYTES_MAX = 4 * 1024 * 1024;
/** A pipe that is full is tried again every 0.1 s. */
const TRIES_MAX = 20;
const FLUSH_MS = 1000;

/** A phone number, with or without its +; and a token of ours or somebody else's. */
const PHONE = /\+?\d{8,15}/g;
const TOKEN = /[\w-]{32,}(?:\.[\w-]+)*/g;

/**
 * JSON lines with a request id. Addresses are logged without their query, which can hold a phone,
 * and no header, body or token is logged at all.
 */
export function openLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: {
        req: (request: { method: string; url: string }) => ({
          method: request.method,
          path: hideSecrets(request.url.split('?', 1)[0] ?? ''),
        }),
        res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
        err: describeError,
      },
    },
    openOutput(),
  );
}

/**
 * Standard output, written aside. Where it cannot be written (a full disk, a pipe that nobody
 * reads) lines wait for the next one's try, and are lost beyond a bound; the service goes on, and
 * ends when it is told to.
 */
function openOutput() {
  let failures = 0;
  const output = pino.destination({
    fd: STANDARD_OUTPUT,
    sync: false,
    // With 0, the default, it would call a flush done at once.
    minLength: 1,
    maxLength: UNWRITTEN_BYTES_MAX,
    retryEAGAIN: () => {
      failures += 1;
      return failures < TRIES_MAX;
    },
  });
  output.on('write', () => (failures = 0));
  output.on('error', () => (failures += 1));
  // Before pino's own, which would try until it is written.
  process.prependListener('exit', () => failures > 0 && output.destroy());
  return output;
}

/** Waits until every line so far is written, but not for long. */
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
 * What is logged of an error, and nothing else that hangs on it: a database's error carries the
 * values of the row that it is about, an HTTP client's the headers that it sent.
 */
export function describeError(error: unknown): ErrorLine {
  if (!(error instanceof Error)) return { type: typeof error, message: hideSecrets(String(error)) };
  return {
    type: error.name,
    message: hideSecrets(error.message),
    code: 'code' in error ? String(error.code) : undefined,
    stack: error.stack && hideSecrets(error.stack),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}

/** Keeps what must not be read by whoever reads logs out of a text that somebody else wrote. */
function hideSecrets(text: string): string {
  return text.replace(TOKEN, '[hidden]').replace(PHONE, '[hidden]');
}
