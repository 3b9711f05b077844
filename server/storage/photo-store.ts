/** A file of a photo, under a name made from its content: one name never has two contents. */
export interface PhotoFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface KeptFile {
  readonly name: string;
  /** When it was last written, in milliseconds since 1970 (UTC). */
  readonly keptAt: number;
}

/** Where photos are kept: files of this machine, or an S3-compatible store. */
export interface PhotoStore {
  /** When this resolves, the files are whole and survive a power cut. Throws ApiError 'unavailable'. */
  keep(files: readonly PhotoFile[]): Promise<void>;
  /** A file's bytes; null where there is none. */
  read(name: string): Promise<Buffer | null>;
  /** Removes files; those that are gone already are no error. */
  remove(names: readonly string[]): Promise<void>;
  /** Everything there is, unfinished files included, in bites: there may be millions. */
  list(): AsyncIterable<readonly KeptFile[]>;
  /** Throws where the store does not answer. */
  check(): Promise<void>;
}
