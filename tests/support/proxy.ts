import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

import { close, listen } from './port.ts';

const CHECK_INTERVAL_MS = 50;
const CHECK_TIMEOUT_MS = 3000;
/** A request waits this long for a ready node. */
const WAIT_MS = 10_000;
const BAD_GATEWAY = 502;
/** The product uses these idempotent methods (RFC 9110, section 9.2.2), which a proxy may repeat. */
const IDEMPOTENT = new Set(['GET', 'HEAD']);
/** These headers belong to one connection, or `fetch` sets them, which also decodes a compressed body. */
const NOT_FORWARDED = /^(connection|keep-alive|(transfer|content|accept)-encoding|content-length)$/;

const forwarded = (headers: Iterable<[string, string]>) =>
  Object.fromEntries([...headers].filter(([name]) => !NOT_FORWARDED.test(name)));

/** Rotates requests among the nodes whose /readyz is 200. Repeats one that is idempotent or was never sent. */
export async function startProxy() {
  /** Whether each node is ready, by its origin. */
  const nodes = new Map<string, boolean>();
  const checking = new Set<string>();
  let rotation = 0;

  async function check(origin: string): Promise<void> {
    if (checking.has(origin)) return;
    checking.add(origin);
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    const response = await fetch(`${origin}/readyz`, { signal }).catch(() => null);
    checking.delete(origin);
    if (nodes.has(origin)) nodes.set(origin, response?.ok ?? false);
  }

  /** Returns the next ready node, and waits for one until `end`. */
  async function nextNode(end: number): Promise<string | undefined> {
    while (Date.now() < end) {
      const ready = [...nodes.keys()].filter((origin) => nodes.get(origin));
      rotation += 1;
      if (ready.length > 0) return ready[rotation % ready.length];
      await pause(CHECK_INTERVAL_MS);
    }
    return undefined;
  }

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url = '' } = incoming;
    const body = IDEMPOTENT.has(method) ? null : new Uint8Array(await buffer(incoming));
    const headers = forwarded(Object.entries(incoming.headers as Record<string, string>));
    const end = Date.now() + WAIT_MS;
    for (let origin = await nextNode(end); origin; origin = await nextNode(end)) {
      try {
        const response = await fetch(origin + url, { method, headers, body, redirect: 'manual' });
        const content = Buffer.from(await response.arrayBuffer());
        outgoing.writeHead(response.status, forwarded(response.headers)).end(content);
        return;
      } catch (error) {
        if (nodes.has(origin)) nodes.set(origin, false);
        const { code } = ((error as Error).cause ?? {}) as { code?: string };
        if (code !== 'ECONNREFUSED' && !IDEMPOTENT.has(method)) break;
      }
    }
    outgoing.writeHead(BAD_GATEWAY).end();
  }

  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing));
  const proxyOrigin = await listen(server);
  const checks = setInterval(() => {
    for (const origin of nodes.keys()) void check(origin);
  }, CHECK_INTERVAL_MS);
  return {
    origin: proxyOrigin,
    add: (origin: string) => void nodes.set(origin, false),
    remove: (origin: string) => void nodes.delete(origin),
    isReady: (origin: string) => nodes.get(origin) ?? false,
    close: () => {
      clearInterval(checks);
      void close(server);
    },
  };
}
