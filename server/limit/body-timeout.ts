import type { IncomingMessage, ServerResponse } from 'node:http';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';

/** Time limits for the body of a request. */
export interface BodyLimits {
  /** The limit of a body. Only an upload may take longer, if it makes progress within each interval. */
  readonly intervalMs: number;
  readonly bytesPerSecondMin: number;
  readonly timeoutMs: number;
}

export const BODY_LIMITS: BodyLimits = {
  intervalMs: 30 * SECOND_MS,
  // A tenth of what a bad mobile connection transfers.
  bytesPerSecondMin: 8 * 1024,
  // Longer than 10,000,000 bytes take at the lowest speed.
  timeoutMs: 25 * MINUTE_MS,
};

/**
 * Calls `onTimeout` if the body does not arrive in time. Node's requestTimeout would end a photo over a
 * slow connection, which takes minutes. An upload must make progress in each interval instead, until
 * the response is sent (docs/security.md#limits).
 */
export function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  { limits, onTimeout }: { readonly limits: BodyLimits; readonly onTimeout: () => void },
): void {
  if (!hasBody(request)) return;
  const { socket } = request;
  // Only the route of uploads reads this type; every other one answers 415 at once.
  const isUpload = /^multipart\/form-data/i.test(request.headers['content-type'] ?? '');
  const startedAt = performance.now();
  const bytesMin = (limits.bytesPerSecondMin * limits.intervalMs) / SECOND_MS;
  let bytesBefore = socket.bytesRead;

  const timer = setInterval(() => {
    const bytes = socket.bytesRead - bytesBefore;
    bytesBefore = socket.bytesRead;
    const isInTime = performance.now() - startedAt < limits.timeoutMs;
    // A body that no handler reads yet stays in the socket's buffer, so bytesRead does not grow.
    const hasProgress = bytes >= bytesMin || request.readableFlowing === null;
    const mayContinue = isUpload && hasProgress && isInTime && !response.writableEnded;
    if (!request.complete && mayContinue) return;
    clearInterval(timer);
    if (!request.complete) onTimeout();
  }, limits.intervalMs).unref();
  const stop = () => clearInterval(timer);
  request.once('end', stop).once('close', stop);
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
