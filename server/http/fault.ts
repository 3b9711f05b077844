import { FAULTS } from '#contract/fault.ts';
import type { FaultWord } from '#contract/fault.ts';

/** A refusal that the caller is told: a word from the contract's table and a sentence. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly status: number;
  readonly word: FaultWord;
  /** Seconds for the Retry-After header, where waiting helps. */
  readonly retryAfterSeconds: number | null;

  constructor(
    word: FaultWord,
    message: string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.word = word;
    this.status = FAULTS[word];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
