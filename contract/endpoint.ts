import type * as z from 'zod/mini';

/**
 * Who may call: 'owner' is the user whose id stands in the path, 'session' any signed-in user,
 * 'open' everybody. Owner is the default, so that forgetting the word closes the door.
 */
export type Access = 'owner' | 'session' | 'open';

type Schema = z.ZodMiniType;

/** A call as both ends know it. Paths are relative to the base address, with `:name` parameters. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly access?: Access;
  readonly summary: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema | 'multipart';
  readonly reply: Schema;
}

type Read<S> = S extends Schema ? z.output<S> : undefined;
type Written<S> = S extends Schema ? z.input<S> : undefined;

/** What a handler gets of each part, parsed. */
export interface ParsedRequest<E extends Endpoint> {
  readonly params: Read<E['params']>;
  readonly query: Read<E['query']>;
  readonly body: Read<E['body']>;
}

/** What a caller gives of each part. */
export interface RequestInput<E extends Endpoint> {
  readonly params?: Written<E['params']>;
  readonly query?: Written<E['query']>;
  readonly body?: Written<E['body']>;
}

export type Reply<E extends Endpoint> = z.output<E['reply']>;

/** Keeps an endpoint's own types while checking that it is one. */
export function endpoint<const E extends Endpoint>(description: E): E {
  return description;
}
