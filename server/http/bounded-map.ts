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
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #order: (Entry<Value> | undefined)[];
  #at = 0;

  constructor(sizeMax: number) {
    this.#order = Array.from({ length: sizeMax });
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: string, value: Value): void {
    const oldest = this.#order[this.#at];
    // What was deleted or set again since is another entry, or none.
    if (oldest && this.#entries.get(oldest.key) === oldest) this.#entries.delete(oldest.key);
    const entry = { key, value };
    this.#entries.set(key, entry);
    this.#order[this.#at] = entry;
    this.#at = (this.#at + 1) % this.#order.length;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
