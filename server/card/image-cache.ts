const SIZE_BYTES_MAX = 24 * 1024 * 1024;

/** Pictures that were drawn, in bounded memory: the one not asked for longest goes first. */
export class ImageCache {
  readonly #pictures = new Map<string, Buffer>();
  readonly #drawing = new Map<string, Promise<Buffer>>();
  #sizeBytes = 0;

  /** The picture of that name; drawn where it is not there, once however many ask at once. */
  async show(name: string, draw: () => Promise<Buffer>): Promise<Buffer> {
    const kept = this.#pictures.get(name);
    if (kept) {
      this.#pictures.delete(name);
      this.#pictures.set(name, kept);
      return kept;
    }
    const under = this.#drawing.get(name);
    if (under) return under;
    const started = draw().finally(() => this.#drawing.delete(name));
    this.#drawing.set(name, started);
    const picture = await started;
    this.#keep(name, picture);
    return picture;
  }

  #keep(name: string, picture: Buffer): void {
    this.#pictures.set(name, picture);
    this.#sizeBytes += picture.length;
    for (const [oldName, old] of this.#pictures) {
      if (this.#sizeBytes <= SIZE_BYTES_MAX) return;
      this.#pictures.delete(oldName);
      this.#sizeBytes -= old.length;
    }
  }
}
