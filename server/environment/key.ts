/** A setting that a service outside needs: its form, and what to say where it has another one. */
export interface Key {
  readonly pattern: RegExp;
  /** What comes after the name: 'must be …'. The value is never repeated: it may be a secret. */
  readonly must: string;
  /** What stands for it; without one, it has to be set. */
  readonly fallback?: string;
}

export type Keys<Name extends string = string> = Readonly<Record<Name, Key>>;
export type KeyValues<Name extends string = string> = Readonly<Record<Name, string>>;

/** A key or a secret as services hand them out: it can stand in a header as it is. */
export const SECRET_KEY: Key = {
  pattern: /^[\x21-\x7e]{1,1024}$/,
  must: 'must be visible ASCII characters without spaces',
};
