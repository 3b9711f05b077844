import { pino } from 'pino';
import type { Logger } from 'pino';

/**
 * JSON lines with a request id. Addresses are logged without their query, which can hold a phone,
 * and no header, body or token is logged at all.
 */
export function openLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: {
      req: (request: { method: string; url: string }) => ({
        method: request.method,
        path: request.url.split('?', 1)[0],
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
  });
}
