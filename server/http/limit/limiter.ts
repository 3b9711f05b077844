interface LimiterOptions {
  readonly runningMax: number;
  readonly waitingMax: number;
  /** With 'replace' a new task takes the place of the one that waits longest. */
  readonly whenFull?: 'reject' | 'replace';
  readonly createError: () => Error;
  /** Whether the waiting tasks of a key fail with this error of a task too. */
  readonly failsAll?: (error: unknown) => boolean;
}

interface Waiting {
  readonly start: () => void;
  readonly reject: (error: unknown) => void;
}

interface Tasks {
  running: number;
  readonly waiting: Waiting[];
}

/** Bounds the tasks of each key in this process; they start in order. */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #tasks = new Map<string, Tasks>();

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  async run<Result>(task: () => Promise<Result>, key = ''): Promise<Result> {
    const tasks = this.#tasks.get(key) ?? { running: 0, waiting: [] };
    this.#tasks.set(key, tasks);
    if (tasks.running < this.#options.runningMax) tasks.running += 1;
    else await this.#wait(tasks);
    try {
      return await task();
    } catch (error) {
      if (this.#options.failsAll?.(error))
        for (const { reject } of tasks.waiting.splice(0)) reject(error);
      throw error;
    } finally {
      const next = tasks.waiting.shift();
      // The next task takes over the place of this one.
      if (next) next.start();
      else tasks.running -= 1;
      if (tasks.running === 0) this.#tasks.delete(key);
    }
  }

  get size(): number {
    return this.#tasks.size;
  }

  #wait({ waiting }: Tasks): Promise<void> {
    const { waitingMax, whenFull, createError } = this.#options;
    if (waiting.length >= waitingMax) {
      if (whenFull !== 'replace' || waitingMax === 0) throw createError();
      waiting.shift()?.reject(createError());
    }
    return new Promise((start, reject) => waiting.push({ start, reject }));
  }
}
