import type * as z from 'zod/mini';

/**
 * The permitted callers: 'owner' is the user whose id is in the path, 'session' any signed-in user,
 * 'open' everybody. 'owner' is the default, so an endpoint without access is not public by mistake.
 */
export type Access = 'owner' | 'session' | 'open';

type Schema = z.ZodMiniType;

/** One call of the API. The path is relative to the base URL and has `:name` parameters. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly access?: Access;
  readonly summary: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema | 'multipart';
  readonly reply: Schema;
  /** The media type of a reply that is a file. The schema is not used then. */
  readonly replyType?: 'application/zip' | 'text/csv; charset=utf-8' | 'text/vcard; charset=utf-8';
  /** The optional request headers, except Authorization: name and description. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** The response headers that a caller may read: name and description. */
  readonly replyHeaders?: Readonly<Record<string, string>>;
}

type Output<S> = S extends Schema ? z.output<S> : undefined;
type Input<S> = S extends Schema ? z.input<S> : undefined;

/** The parsed request that a handler receives. */
export interface ParsedRequest<E extends Endpoint> {
  readonly params: Output<E['params']>;
  readonly query: Output<E['query']>;
  readonly body: Output<E['body']>;
}

/** The request that a caller passes. */
export interface RequestInput<E extends Endpoint> {
  readonly params?: Input<E['params']>;
  readonly query?: Input<E['query']>;
  readonly body?: Input<E['body']>;
}

export type Reply<E extends Endpoint> = z.output<E['reply']>;

/** Returns the description with its literal types, checked against `Endpoint`. */
export function endpoint<const E extends Endpoint>(description: E): E {
  return description;
}
