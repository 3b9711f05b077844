import { on } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { expect, onTestFinished, test } from 'vitest';

import { buildTestApp, signInByToken, useTestApp } from './support/app.ts';
import type { TestApp } from './support/app.ts';
import { onEachDatabase } from './support/database.ts';
import { EXAMPLE_ENVIRONMENT } from './support/example-requests.ts';
import { METRICS_TOKEN } from './support/metrics.ts';

/** On each of two databases, with and without TRUST_PROXY: ten thousand in all. */
const CONNECTIONS_MIN = 2500;
/** Other requests run while a connection is reset. */
const AT_ONCE = 20;
const CLIENT_CLOSED = 499;
const MANY = '1000000';

const SETTINGS = {
  ...EXAMPLE_ENVIRONMENT,
  METRICS_TOKEN,
  LIMIT_READS_PER_MINUTE: MANY,
  LIMIT_INVALID_PER_MINUTE: MANY,
};

interface Request {
  readonly head: string;
  readonly body: string;
}

interface Connection extends Request {
  readonly socket: Socket;
  /** Settles when the server handles the request, or the connection has ended. */
  readonly handled: Promise<unknown>;
}

/** Writes a part of a request, or all of it, and returns when the connection is to be reset. */
type Stage = (connection: Connection) => Promise<unknown> | boolean;

const firstBytes = (socket: Socket) =>
  new Promise<unknown>((resolve) => socket.once('data', resolve).once('close', resolve));

const STAGES: readonly Stage[] = [
  // Before the first byte.
  () => true,
  // Within the head, after it, within the body, and after the whole request.
  ({ socket, head }) => socket.write(head.slice(0, head.length / 2)),
  ({ socket, head }) => socket.write(head),
  ({ socket, head, body }) => socket.write(head + body.slice(0, body.length / 2)),
  ({ socket, head, body }) => socket.write(head + body),
  // While the request is handled.
  ({ socket, head, body, handled }) => {
    socket.write(head + body);
    return handled;
  },
  // Within the response.
  ({ socket, head, body }) => {
    socket.write(head + body);
    return firstBytes(socket);
  },
  // After the next request.
  async ({ socket, head, body }) => {
    socket.write(head + body);
    await firstBytes(socket);
    socket.write(head + body);
  },
];

interface Arrived {
  readonly socket: Socket;
}

type Session = Awaited<ReturnType<typeof signInByToken>>;

function requestOf(method: string, url: string, { _id, sessionToken }: Session): Request {
  const path = url.replace(/:address.*/, '@asha').replace(/:\w+|\*/g, _id);
  const body = method === 'POST' ? JSON.stringify({ name: 'Asha', userID: _id }) : '';
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: cards.example',
    `Authorization: ${sessionToken}`,
    'X-Forwarded-For: 203.0.113.7',
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
  ];
  return { head: `${lines.join('\r\n')}\r\n\r\n`, body };
}

const open = (port: number) => connect(port, '127.0.0.1').on('error', () => undefined);

interface Server {
  readonly server: TestApp['app']['server'];
  readonly port: number;
}

async function resetAt(stage: Stage, request: Request, { server, port }: Server): Promise<void> {
  const socket = open(port);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => socket.once('connect', resolve));
  const { localPort } = socket;
  const arrivals = new AbortController();
  const handled = (async () => {
    for await (const [arrived] of on(server, 'request', arrivals) as AsyncIterable<[Arrived]>)
      if (arrived.socket.remotePort === localPort) return;
  })().catch(() => undefined);
  await stage({ socket, ...request, handled: Promise.race([handled, closed]) });
  socket.resetAndDestroy();
  await closed;
  arrivals.abort();
}

async function statusOf(port: number, { head, body }: Request): Promise<number> {
  const socket = open(port);
  socket.write(head + body);
  const answer = String(await firstBytes(socket));
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

onEachDatabase((openDatabase) => {
  const { database } = useTestApp(openDatabase);

  test.each(['', '127.0.0.1'])(
    'reset connections: at each stage of every route they end no process, with TRUST_PROXY=%j',
    { timeout: 600_000 },
    async (TRUST_PROXY) => {
      const uncaught: unknown[] = [];
      const collect = (error: unknown) => void uncaught.push(error);
      process.on('uncaughtException', collect);
      onTestFinished(() => void process.off('uncaughtException', collect));
      const written: string[] = [];
      const writeRequestLine = (line: string) => void written.push(line);
      const testApp = buildTestApp(database, {
        environment: { ...SETTINGS, TRUST_PROXY },
        dependencies: { writeRequestLine },
      });
      const { app } = testApp;
      const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
      const server = { server: app.server.setMaxListeners(0), port };

      const absent = ['/nobody', '/%zz'].map((url) => ({ method: 'GET', url }));
      const routes = [...app.routeTable, ...absent];
      const readRequests = async () => {
        const session = await signInByToken(testApp);
        const ended = await signInByToken(testApp);
        return routes.map(({ method, url }) =>
          requestOf(method, url, url.endsWith('/logout') ? ended : session),
        );
      };
      for (let sent = 0; sent < CONNECTIONS_MIN; sent += routes.length * STAGES.length) {
        const requests = await readRequests();
        const rest = requests
          .flatMap((one) => STAGES.map((stage) => [stage, one] as const))
          .values();
        const resetRest = async () => {
          for (const [stage, request] of rest) await resetAt(stage, request, server);
        };
        await Promise.all(Array.from({ length: AT_ONCE }, resetRest));
      }
      expect([routes.length > 100, uncaught]).toEqual([true, []]);
      const lines = written.map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(lines.some(({ status }) => status === CLIENT_CLOSED)).toBe(true);

      // A request whose client is gone leaves nothing occupied.
      const requests = await readRequests();
      const statuses: [string, number][] = [];
      for (const request of requests)
        statuses.push([request.head.split(' HTTP', 1)[0] ?? '', await statusOf(port, request)]);
      expect(statuses.filter(([, status]) => !(status < 500))).toEqual([]);
    },
  );
});
