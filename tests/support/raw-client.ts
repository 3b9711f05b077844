import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** The status of the response, or the reason why there is none. */
export type Outcome = number | 'closed' | 'timeout';

const RESPONSE_TIMEOUT_MS = 15_000;

/**
 * A client that sends bytes unchanged, which no HTTP library does: one request after the other, on
 * one connection until the server closes it.
 */
export class RawClient {
  readonly #port: number;
  #socket: Socket | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a whole request; with `isHead` the response has no body. */
  async send(bytes: Buffer, isHead: boolean): Promise<Outcome> {
    const isReused = this.#socket !== null;
    const outcome = await this.#sendOnce(bytes, isHead);
    // The server may have closed an idle connection just before the request arrived.
    return outcome === 'closed' && isReused ? this.#sendOnce(bytes, isHead) : outcome;
  }

  #connect(): Socket {
    const socket = connect(this.#port, '127.0.0.1').on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null;
    });
    return socket;
  }

  #sendOnce(bytes: Buffer, isHead: boolean): Promise<Outcome> {
    const socket = (this.#socket ??= this.#connect());
    return new Promise((resolve) => {
      let received = Buffer.alloc(0);
      const finish = (outcome: Outcome, isReusable: boolean) => {
        clearTimeout(timer);
        socket.off('data', onData).off('close', onClose);
        if (!isReusable) {
          socket.destroy();
          this.#socket = null;
        }
        resolve(outcome);
      };
      const onData = (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        const response = readResponse(received, isHead);
        if (response) finish(response.status, response.isReusable);
      };
      const onClose = () => finish(statusOf(received) || 'closed', false);
      const timer = setTimeout(() => finish('timeout', false), RESPONSE_TIMEOUT_MS);
      socket.on('data', onData).on('close', onClose);
      socket.write(bytes);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }
}

function statusOf(bytes: Buffer): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(bytes.toString('latin1', 0, 16))?.[1] ?? 0);
}

/** The status of a complete response; null while it is incomplete. */
function readResponse(bytes: Buffer, isHead: boolean) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = bytes.toString('latin1', 0, end);
  const body = bytes.length - end - 4;
  const status = statusOf(bytes);
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  const isChunked = /^transfer-encoding: chunked$/im.test(head);
  const hasNoBody = isHead || status === 304 || status === 204;
  const isComplete =
    hasNoBody || (isChunked ? bytes.subarray(-5).toString() === '0\r\n\r\n' : body >= length);
  return isComplete ? { status, isReusable: !/^connection: close$/im.test(head) } : null;
}

/** Sends bytes on a new connection; returns everything that the server sends before it closes it. */
export function sendBytes(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let response = '';
    socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(response));
    socket.write(bytes);
  });
}
