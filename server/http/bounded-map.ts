interface Entry<Value> {
  readonly key: string;
  readonly value: Value;
}

/**
 * A map that holds so many entries at most; one more, and the one that was set longest ago is
 * forgotten. Every call takes the same short time: asking a Map itself for its first key walks over
 * all that were deleted before it, which at 100,000 keys is as long as drawing a page.
 */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #order: (Entry<Value> | undefined)[];
  #at = 0;

  constructor(sizeMax: number) {
    this.#order = Array.from({ length: sizeMax });
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    const oldest = this.#order[this.#at];
    // What was deleted or set to another value since is not its to forget.
    if (oldest && this.#entries.get(oldest.key) === oldest.value) this.#entries.delete(oldest.key);
    this.#entries.set(key, value);
    this.#order[this.#at] = { key, value };
    this.#at = (this.#at + 1) % this.#order.length;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
