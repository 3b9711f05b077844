import * as z from 'zod/mini';

import { userIdSchema } from '#domain/identifier.ts';
import { dropInvisible } from '#domain/invisible.ts';

/** 'owner', the user whose id is in the path, is the default, so that no endpoint is public by mistake. */
export type Access = 'owner' | 'session' | 'open';

type Schema = z.ZodMiniType;

/** The path is relative to the base URL and has `:name` parameters. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly access?: Access;
  readonly summary: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema | 'multipart';
  readonly bodySizeBytesMax?: number;
  readonly reply: Schema;
  /** The content type of a reply that is a file, for which `reply` is not used. */
  readonly replyType?:
    | 'text/event-stream'
    | 'application/zip'
    | 'text/csv; charset=utf-8'
    | 'text/vcard; charset=utf-8';
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly replyHeaders?: Readonly<Record<string, string>>;
}

type Output<S> = S extends Schema ? z.output<S> : undefined;
type Input<S> = S extends Schema ? z.input<S> : undefined;

export interface ParsedRequest<E extends Endpoint> {
  readonly params: Output<E['params']>;
  readonly query: Output<E['query']>;
  readonly body: Output<E['body']>;
}

export interface RequestInput<E extends Endpoint> {
  readonly params?: Input<E['params']>;
  readonly query?: Input<E['query']>;
  readonly body?: Input<E['body']>;
}

export type Reply<E extends Endpoint> = z.output<E['reply']>;

export function endpoint<const E extends Endpoint>(description: E): E {
  return description;
}

/** A page and a server can be one version apart during a rolling restart, so a missing text becomes ''. */
export const replyText = z._default(z.string(), '');

export const requestText = (lengthMax: number) =>
  z.string('must be text').check(z.maxLength(lengthMax, `must be at most ${lengthMax} characters`));

/** A phone, a code, a link or another text that people paste. */
export const requestIdentifier = (lengthMax: number) =>
  requestText(lengthMax).check(z.overwrite(dropInvisible));

export const userParams = z.object({ id: userIdSchema });

const OWNER_CALL_DEFAULTS = { method: 'POST', params: userParams, reply: z.object({}) } as const;

/** Describes a call that only the owner in its path may make: a POST that answers `{}`, unless it says otherwise. */
export function ownerCall<
  const Call extends Partial<Endpoint> & Pick<Endpoint, 'path' | 'summary'>,
>(call: Call): Omit<typeof OWNER_CALL_DEFAULTS, keyof Call> & Call {
  return { ...OWNER_CALL_DEFAULTS, ...call };
}

export const PROVIDER_TOKEN_LENGTH_MAX = 8192;

/** A missing token is answered like an invalid one, with `verification_required`, so it is optional here. */
export const verificationToken = z.nullish(requestText(PROVIDER_TOKEN_LENGTH_MAX));
