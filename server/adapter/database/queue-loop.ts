interface QueueWork {
  readonly everyMs: number;
  readonly run: () => Promise<void>;
  readonly canRun?: () => boolean;
}

/** Works on a queue in the database when it is woken and at an interval, never twice at the same time. */
export class QueueLoop {
  readonly #work: Required<QueueWork>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #isRequested = false;
  #isClosed = false;

  constructor(work: QueueWork) {
    this.#work = { canRun: () => true, ...work };
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), this.#work.everyMs).unref();
    this.wake();
  }

  wake(): void {
    if (this.#isClosed) return;
    this.#isRequested = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      // `wake` was called after the last run.
      if (this.#isRequested && this.#work.canRun()) this.wake();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isClosed && this.#isRequested && this.#work.canRun()) {
      this.#isRequested = false;
      await this.#work.run();
    }
  }
}
