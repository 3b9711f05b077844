import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

const HANG_MS = 10_000;
const HUGE_BYTES = 10_000_000;
/** The target of a redirect: a client that follows it gets a valid response there. */
export const REDIRECTED_PATH = '/redirected';

/** Emits 'hang' when a request gets no answer. */
export const hangs = new EventEmitter();

export const FAILURES = ['broken', 'hang', 'html', 'huge', 'redirect'] as const;

export function sendFailure(name: string, response: ServerResponse): boolean {
  switch (name) {
    case 'broken':
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"internal"}');
      return true;
    case 'hang':
      hangs.emit('hang');
      setTimeout(() => response.destroy(), HANG_MS).unref();
      return true;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Welcome');
      return true;
    case 'huge':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"status":"SUCCESS","type":"success","x":"${'x'.repeat(HUGE_BYTES)}"}`);
      return true;
    case 'redirect':
      response.writeHead(307, { location: REDIRECTED_PATH }).end();
      return true;
    default:
      return false;
  }
}

export function sendJson(response: ServerResponse, status: number, content: unknown): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
    })
    .end(JSON.stringify(content));
}
