import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

const CHECK_INTERVAL_MS = 50;
const CHECK_TIMEOUT_MS = 3000;
/** How long a request waits for a ready node. */
const WAIT_MS = 10_000;
const BAD_GATEWAY = 502;
/** The idempotent methods (RFC 9110, section 9.2.2) of the product: a proxy may repeat them. */
const IDEMPOTENT = new Set(['GET', 'HEAD']);

interface Node {
  readonly origin: string;
  readonly agent: Agent;
  isReady: boolean;
  isChecking: boolean;
}

interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/**
 * Starts a reverse proxy that rotates requests among the nodes whose /readyz is 200. A request that
 * a node did not answer is repeated on the next node only if it is idempotent or was never sent.
 */
export async function startProxy() {
  const nodes = new Map<string, Node>();
  let rotation = 0;

  async function check(node: Node): Promise<void> {
    if (node.isChecking) return;
    node.isChecking = true;
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    node.isReady = await fetch(`${node.origin}/readyz`, { signal }).then(
      (response) => response.ok,
      () => false,
    );
    node.isChecking = false;
  }

  /** The next ready node; waits for one until `end`. */
  async function next(end: number): Promise<Node | undefined> {
    while (Date.now() < end) {
      const ready = [...nodes.values()].filter((node) => node.isReady);
      rotation += 1;
      if (ready.length > 0) return ready[rotation % ready.length];
      await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
    }
    return undefined;
  }

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body: Buffer[] = [];
    for await (const chunk of incoming) body.push(chunk as Buffer);
    const end = Date.now() + WAIT_MS;
    for (let node = await next(end); node; node = await next(end)) {
      try {
        const response = await sendRequest(node, incoming, Buffer.concat(body));
        outgoing.writeHead(response.status, response.headers).end(response.body);
        return;
      } catch (error) {
        node.isReady = false;
        const isNotSent =
          error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
        if (!isNotSent && !IDEMPOTENT.has(incoming.method ?? '')) break;
      }
    }
    outgoing.writeHead(BAD_GATEWAY).end();
  }

  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const checks = setInterval(() => {
    for (const node of nodes.values()) void check(node);
  }, CHECK_INTERVAL_MS);
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    add: (origin: string) =>
      void nodes.set(origin, {
        origin,
        agent: new Agent({ keepAlive: true }),
        isReady: false,
        isChecking: false,
      }),
    remove: (origin: string) => void nodes.delete(origin),
    isReady: (origin: string) => nodes.get(origin)?.isReady ?? false,
    close: () => {
      clearInterval(checks);
      server.closeAllConnections();
      server.close();
      for (const { agent } of nodes.values()) agent.destroy();
    },
  };
}

function sendRequest(node: Node, incoming: IncomingMessage, body: Buffer): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const { connection: _, ...headers } = incoming.headers;
    const outgoing = request(
      node.origin + (incoming.url ?? ''),
      { method: incoming.method, headers, agent: node.agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { connection: __, 'keep-alive': ___, ...rest } = response.headers;
          resolve({
            status: response.statusCode ?? 0,
            headers: rest,
            body: Buffer.concat(chunks),
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
