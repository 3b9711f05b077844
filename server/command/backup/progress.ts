import type { WriteStream } from 'node:tty';

import { Format, SingleBar } from 'cli-progress';

import { SECOND_MS } from '#domain/duration.ts';

/** A step of a command, which counts rows, photos or files up to `total`. */
export interface Step {
  readonly name: string;
  readonly total: number;
  readonly unit: string;
}

type Add = (count: number) => void;

/** Runs a step; `add` reports what is done. */
export type RunStep = <Result>(step: Step, work: (add: Add) => Promise<Result>) => Promise<Result>;

const LINE = '{value} of {total} {unit}, {percentage} %';
/** So that a line of millions of rows fits into 80 characters. */
const BAR_CHARACTERS = 20;
/** Without a terminal each update is a line, for example of the journal. */
const LINE_EVERY_MS = 10 * SECOND_MS;
/** Updates that the time left is estimated from; one is up to 500 rows. */
const UPDATES_FOR_ESTIMATE = 100;

export const withoutProgress: RunStep = (_step, work) => work(() => undefined);

/** Shows a bar in a terminal, else lines; nothing for a step without work. */
export function showProgress(stream: WriteStream): RunStep {
  const isTerminal = stream.isTTY;
  return async ({ name, total, unit }, work) => {
    if (total === 0) return withoutProgress({ name, total, unit }, work);
    const bar = new SingleBar({
      stream,
      barsize: BAR_CHARACTERS,
      format: (options, params, payload) => {
        const line = isTerminal ? `{name} {bar} ${LINE}` : `{name}: ${LINE}`;
        // Before the first rows nothing is known.
        const format = Number.isFinite(params.eta) ? `${line}, {eta_formatted} left` : line;
        return Format.Formatter({ ...options, format }, params, payload);
      },
      noTTYOutput: true,
      notTTYSchedule: LINE_EVERY_MS,
      etaBuffer: UPDATES_FOR_ESTIMATE,
      // Without a terminal the library would write an empty line at the end.
      clearOnComplete: !isTerminal,
      // Its handler of SIGINT would keep the command running.
      gracefulExit: false,
      linewrap: true,
    });
    bar.start(total, 0, { name, unit });
    try {
      return await work((count) => bar.increment(count));
    } finally {
      bar.stop();
    }
  };
}
