import type { AppContext } from '#server/context.ts';

const CACHING = 'public, max-age=3600';
/** What only its owner has a use for; the calls, too. Cards and policies are for everybody. */
const CLOSED = ['/login', '/ftue', '/dashboard', '/api'];

const ROBOTS = ['User-agent: *', 'Allow: /', ...CLOSED.map((path) => `Disallow: ${path}`), ''];

export function robotsRoutes({ fastify }: AppContext): void {
  fastify.get('/robots.txt', (_request, reply) =>
    reply
      .header('cache-control', CACHING)
      .type('text/plain; charset=utf-8')
      .send(ROBOTS.join('\n')),
  );
}
