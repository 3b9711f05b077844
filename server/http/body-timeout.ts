import type { IncomingMessage, ServerResponse } from 'node:http';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';

/** Time limits for the body of a request. */
export interface BodyLimits {
  /** The time limit for a normal body. */
  readonly timeoutMs: number;
  /** A slow body must make progress within each interval. */
  readonly intervalMs: number;
  readonly bytesPerSecondMin: number;
  /** The total time limit for a slow body. */
  readonly slowTimeoutMs: number;
}

export const BODY_LIMITS: BodyLimits = {
  timeoutMs: 30 * SECOND_MS,
  intervalMs: 10 * SECOND_MS,
  // A tenth of what a bad mobile connection transfers.
  bytesPerSecondMin: 8 * 1024,
  // Longer than 10,000,000 bytes take at the lowest speed.
  slowTimeoutMs: 25 * MINUTE_MS,
};

/**
 * Calls `onTimeout` if the body does not arrive in time. Node's requestTimeout is one value for all
 * requests, but a photo over a slow connection takes minutes. Such a body must make progress in each
 * interval instead, until the response is sent (docs/security.md#limits).
 */
export function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  options: {
    readonly isSlow: boolean;
    readonly limits: BodyLimits;
    readonly onTimeout: () => void;
  },
): void {
  const { limits, isSlow, onTimeout } = options;
  if (!hasBody(request)) return;
  const { socket } = request;
  const startedAt = performance.now();
  const bytesMin = (limits.bytesPerSecondMin * limits.intervalMs) / SECOND_MS;
  let bytesBefore = socket.bytesRead;

  const timer = setInterval(
    () => {
      if (request.complete) {
        clearInterval(timer);
        return;
      }
      const bytes = socket.bytesRead - bytesBefore;
      bytesBefore = socket.bytesRead;
      const isInTime = performance.now() - startedAt < limits.slowTimeoutMs;
      // A body that no handler reads yet stays in the socket's buffer, so bytesRead does not grow.
      const hasProgress = bytes >= bytesMin || request.readableFlowing === null;
      // A normal body fails at the first tick.
      if (isSlow && hasProgress && isInTime && !response.writableEnded) return;
      clearInterval(timer);
      onTimeout();
    },
    isSlow ? limits.intervalMs : limits.timeoutMs,
  ).unref();
  const stop = () => clearInterval(timer);
  request.once('end', stop).once('close', stop);
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
