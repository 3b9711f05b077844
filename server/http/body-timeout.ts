import type { IncomingMessage, ServerResponse } from 'node:http';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';

/** Time limits for the body of a request. */
export interface BodyLimits {
  /** For a body whose path has no other limit. */
  readonly timeoutMs: number;
  /** A slow body must make progress within each interval. */
  readonly intervalMs: number;
  readonly bytesPerSecondMin: number;
  /** For a slow body that makes progress. */
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
 * Calls `onTimeout` where the body of a request does not arrive in time. Node's own requestTimeout
 * has one value for all requests, and a photo over a slow connection takes minutes. A slow body is
 * limited by its progress instead, until its request is answered (docs/security.md#limits).
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
      // Before the body is read, its bytes wait in the operating system.
      const hasProgress = bytes >= bytesMin || request.readableFlowing === null;
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
