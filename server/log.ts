import { pino } from 'pino';
import type { Logger } from 'pino';

const STANDARD_OUTPUT = 1;
/** Where nobody reads the log, lines beyond so many characters are lost, and not the service. */
const UNREAD_MAX = 4 * 1024 * 1024;

/** A phone number, with or without its +; and a token of ours or somebody else's. */
const PHONE = /\+?\d{8,15}/g;
const TOKEN = /[\w-]{32,}(?:\.[\w-]+)*/g;

/**
 * JSON lines with a request id. Addresses are logged without their query, which can hold a phone,
 * and no header, body or token is logged at all.
 */
export function openLog(level: string): Logger {
  // Lines that come while others are written go out together. At the end all are written.
  const output = pino.destination({ fd: STANDARD_OUTPUT, sync: false, maxLength: UNREAD_MAX });
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
    output,
  );
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
