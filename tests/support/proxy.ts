import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

const LOOK_EVERY_MS = 50;
const LOOK_TIMEOUT_MS = 3000;
/** How long a request waits for a node that is ready, where there is none: the machine may be busy. */
const PATIENCE_MS = 10_000;
const BAD_GATEWAY = 502;
/** What may be asked twice (RFC 9110, section 9.2.2) of the methods that the product has. */
const IDEMPOTENT = new Set(['GET', 'HEAD']);

interface Node {
  readonly origin: string;
  readonly agent: Agent;
  isReady: boolean;
  isLookedAt: boolean;
}

interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/**
 * A plain proxy as operators have one: in turns to the nodes whose /readyz says yes. A request that
 * a node left without an answer goes to the next one only if it is idempotent, or never left here.
 */
export async function openProxy() {
  const nodes = new Map<string, Node>();
  let turn = 0;

  async function look(node: Node): Promise<void> {
    if (node.isLookedAt) return;
    node.isLookedAt = true;
    const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS);
    node.isReady = await fetch(`${node.origin}/readyz`, { signal }).then(
      (answer) => answer.ok,
      () => false,
    );
    node.isLookedAt = false;
  }

  /** The next node that is ready; waits for one. */
  async function next(end: number): Promise<Node | undefined> {
    while (Date.now() < end) {
      const ready = [...nodes.values()].filter((node) => node.isReady);
      turn += 1;
      if (ready.length > 0) return ready[turn % ready.length];
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    return undefined;
  }

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body: Buffer[] = [];
    for await (const chunk of incoming) body.push(chunk as Buffer);
    const end = Date.now() + PATIENCE_MS;
    for (let node = await next(end); node; node = await next(end)) {
      try {
        const answer = await sendRequest(node, incoming, Buffer.concat(body));
        outgoing.writeHead(answer.status, answer.headers).end(answer.body);
        return;
      } catch (error) {
        node.isReady = false;
        const neverLeft =
          error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
        if (!neverLeft && !IDEMPOTENT.has(incoming.method ?? '')) break;
      }
    }
    outgoing.writeHead(BAD_GATEWAY).end();
  }

  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const looking = setInterval(() => {
    for (const node of nodes.values()) void look(node);
  }, LOOK_EVERY_MS);
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    add: (origin: string) =>
      void nodes.set(origin, {
        origin,
        agent: new Agent({ keepAlive: true }),
        isReady: false,
        isLookedAt: false,
      }),
    remove: (origin: string) => void nodes.delete(origin),
    isReady: (origin: string) => nodes.get(origin)?.isReady ?? false,
    close: () => {
      clearInterval(looking);
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
      (answer) => {
        const dependencies: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => dependencies.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const { connection: __, 'keep-alive': ___, ...rest } = answer.headers;
          resolve({
            status: answer.statusCode ?? 0,
            headers: rest,
            body: Buffer.concat(dependencies),
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
