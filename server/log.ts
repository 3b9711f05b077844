import { pino } from 'pino';
import type { Logger } from 'pino';

import { openLogOutput } from './log-output.ts';

const FLUSH_TIMEOUT_MS = 1000;

/** A phone number, with or without its +. */
const PHONE = /\+?\d{8,15}/g;
/** A token, our own or a provider's. */
const TOKEN = /[\w-]{32,}(?:\.[\w-]+)*/g;

/** A log and a function that writes a finished line to its output; null if `info` is not logged. */
export interface OpenLog {
  readonly log: Logger;
  readonly writeRequestLine: ((line: string) => void) | null;
}

/**
 * Opens a log of JSON lines, by default on standard output, with the name of this node. Headers,
 * bodies and tokens are never logged (docs/security.md#logs).
 */
export function openLog(level: string, node: string, output = openLogOutput()): OpenLog {
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
  return { log, writeRequestLine: isEnabled ? (line) => output.write(line) : null };
}

/** Waits until all lines are written, at most a second. */
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
