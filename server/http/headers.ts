import type { FastifyInstance, FastifyReply } from 'fastify';

/**
 * What every answer carries. Pages widen the content security policy for themselves; only public
 * cards and policies take the ban on indexing away.
 */
export const EVERYWHERE = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
} as const;

export function addHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async (_request, reply) => putHeaders(reply));
}

/** Puts them on one answer, for where no hook runs. */
export function putHeaders(reply: FastifyReply): void {
  void reply.headers(EVERYWHERE);
}

/** What a page may load beyond its own origin. Each entry is a CSP source expression. */
export interface PageSources {
  readonly script?: readonly string[];
  readonly style?: readonly string[];
  readonly connect?: readonly string[];
  readonly image?: readonly string[];
  readonly frame?: readonly string[];
}

/** Sets a page's content security policy: its own origin, and what is named. */
export function setPagePolicy(reply: FastifyReply, sources: PageSources): void {
  const policy = [
    "default-src 'none'",
    directive('script-src', sources.script),
    directive('style-src', sources.style),
    directive('img-src', ['data:', 'blob:', ...(sources.image ?? [])]),
    directive('connect-src', sources.connect),
    directive('font-src'),
    directive('manifest-src'),
    ...(sources.frame ? [`frame-src ${sources.frame.join(' ')}`] : []),
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ];
  void reply.header('content-security-policy', policy.join('; '));
}

function directive(name: string, extra: readonly string[] = []): string {
  return [name, "'self'", ...extra].join(' ');
}
