import { pino } from 'pino';
import type { Logger } from 'pino';

import { redact } from './request-log.ts';

const STANDARD_OUTPUT = 1;
/**
 * Lines that cannot be written yet are kept in a buffer of this size. When it is full, all lines except those
 * of events are lost.
 */
const UNWRITTEN_BYTES_MAX = 4 * 1024 * 1024;
/** At most this many different events wait for room in the buffer, each as one line. */
const HELD_EVENTS_MAX = 4096;
/** JSON escapes quotes inside a text, so this occurs only in a line with such a key. */
const EVENT_KEY = '"event":"';
/** A line has at most this many bytes with its line break. A collector may split or drop a longer one. */
const LINE_BYTES_MAX = 1000;
const CAUSES_MAX = 2;
/** pino retries a full pipe every 0.1 s. */
const WRITE_ATTEMPTS_MAX = 20;
/** Lines are collected and written together when they reach this length, or after this time. */
const COLLECTED_BYTES = 4096;
const COLLECT_MS = 200;
const FLUSH_TIMEOUT_MS = 1000;

/**
 * If a write fails, its lines are kept until the next write, and the service can still be stopped.
 * An event that finds no room in the buffer waits and is counted together with others of its kind.
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
  const held = new Map<string, HeldEvent>();
  output.on('drop', (line: string) => {
    if (line.includes(EVENT_KEY)) holdEvent(held, line);
  });
  output.on('write', () => {
    failures = 0;
    // The buffer has room only after this handler, and then the events are the first to use it.
    if (held.size > 0)
      queueMicrotask(() => {
        const events = [...held.values()];
        held.clear();
        for (const event of events) output.write(toLine(event));
      });
  });
  output.on('error', () => (failures += 1));
  // This listener runs before pino's own one, which would retry until everything is written.
  process.prependListener('exit', () => failures > 0 && output.destroy());
  return output;
}

interface HeldEvent {
  readonly time: string;
  readonly address?: string;
  readonly count?: number;
}

/** The newest line of an event replaces the earlier ones and includes their count. */
function holdEvent(held: Map<string, HeldEvent>, line: string): void {
  const event = JSON.parse(line) as HeldEvent;
  const { time: _, address: __, count = 1, ...kind } = event;
  const key = JSON.stringify(kind);
  const earlier = held.get(key);
  if (!earlier && held.size >= HELD_EVENTS_MAX) return;
  held.set(key, { ...event, count: count + (earlier?.count ?? 0) });
}

const toLine = (content: unknown) => `${JSON.stringify(content)}\n`;

/** Shortens the longest texts of a line, such as a stack, until the whole line is short enough. */
function shorten(line: string): string {
  let short = line;
  for (let max = LINE_BYTES_MAX; Buffer.byteLength(short) > LINE_BYTES_MAX && max > 1; max /= 2) {
    const cut = (_key: string, value: unknown) =>
      typeof value === 'string' ? value.slice(0, max) : value;
    short = toLine(JSON.parse(line, cut));
  }
  return short;
}

/** Opens a log of JSON lines. Headers, bodies and tokens are never logged (docs/develop/security.md#logs). */
export function openLog(level: string, node: string, output = openLogOutput()) {
  const destination = {
    write: (line: string) => output.write(shorten(line)),
    flush: (done: (error?: Error) => void) => output.flush(done),
    flushSync: () => output.flushSync(),
  };
  const log = pino(
    {
      level,
      base: { node },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    destination,
  );
  const writeRequestLine: ((line: string) => void) | null = log.isLevelEnabled('info')
    ? output.write.bind(output)
    : null;
  return { log, writeRequestLine };
}

export async function flushLog(log: Logger): Promise<void> {
  const written = new Promise<void>((resolve) => log.flush(() => resolve()));
  await Promise.race([written, new Promise((resolve) => setTimeout(resolve, FLUSH_TIMEOUT_MS))]);
}

/** Describes an error. Its other properties could contain a row's values or the headers that a client sent. */
export function describeError(error: unknown, causesMax = CAUSES_MAX): object {
  if (!(error instanceof Error)) return { type: typeof error, message: redact(String(error)) };
  return {
    type: error.name,
    message: redact(error.message),
    code: 'code' in error ? String(error.code) : undefined,
    stack: error.stack && redact(error.stack),
    cause:
      error.cause === undefined || causesMax === 0
        ? undefined
        : describeError(error.cause, causesMax - 1),
  };
}
