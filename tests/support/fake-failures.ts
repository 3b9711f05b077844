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
  const send = (status: number, type: string, body: string) =>
    response.writeHead(status, { 'content-type': type }).end(body);
  if (name === 'broken') send(500, 'application/json', '{"error":"internal"}');
  else if (name === 'html') send(200, 'text/html', '<!doctype html><p>Welcome');
  else if (name === 'redirect') response.writeHead(307, { location: REDIRECTED_PATH }).end();
  else if (name === 'huge') {
    const filler = 'x'.repeat(HUGE_BYTES);
    send(200, 'application/json', `{"status":"SUCCESS","type":"success","x":"${filler}"}`);
  } else if (name === 'hang') {
    hangs.emit('hang');
    setTimeout(() => response.destroy(), HANG_MS).unref();
  } else return false;
  return true;
}

export function sendJson(response: ServerResponse, status: number, content: unknown): void {
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  const headers = { 'content-type': 'application/json', ...cors };
  response.writeHead(status, headers).end(JSON.stringify(content));
}
