import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** What came back for a request: its status, or that nothing did. */
export type Outcome = number | 'hung up' | 'no answer';

const ANSWER_WITHIN_MS = 15_000;

/**
 * A client that sends bytes as they are, which no HTTP library does, one request after the other
 * on one connection for as long as the server keeps it.
 */
export class RawClient {
  readonly #port: number;
  #socket: Socket | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a whole request; `isHead` says that its answer has no body. */
  async send(bytes: Buffer, isHead: boolean): Promise<Outcome> {
    const isReused = this.#socket !== null;
    const outcome = await this.#sendOnce(bytes, isHead);
    // The server may have ended an idle connection just before the request was on its way.
    return outcome === 'hung up' && isReused ? this.#sendOnce(bytes, isHead) : outcome;
  }

  #connection(): Socket {
    if (this.#socket) return this.#socket;
    const socket = connect(this.#port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null;
    });
    this.#socket = socket;
    return socket;
  }

  #sendOnce(bytes: Buffer, isHead: boolean): Promise<Outcome> {
    const socket = this.#connection();
    return new Promise((resolve) => {
      let got = Buffer.alloc(0);
      const finish = (outcome: Outcome, isKept: boolean) => {
        clearTimeout(timer);
        socket.off('data', onData).off('close', onClose);
        if (!isKept) {
          socket.destroy();
          if (this.#socket === socket) this.#socket = null;
        }
        resolve(outcome);
      };
      const onData = (chunk: Buffer) => {
        got = Buffer.concat([got, chunk]);
        const answer = readAnswer(got, isHead);
        if (answer) finish(answer.status, answer.isKept);
      };
      const onClose = () => finish(statusOf(got) || 'hung up', false);
      const timer = setTimeout(() => finish('no answer', false), ANSWER_WITHIN_MS);
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

/** The status of a whole answer, and whether the connection stays; null while it is not whole. */
function readAnswer(bytes: Buffer, isHead: boolean) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = bytes.toString('latin1', 0, end);
  const body = bytes.length - end - 4;
  const status = statusOf(bytes);
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  const isChunked = /^transfer-encoding: chunked$/im.test(head);
  const hasNoBody = isHead || status === 304 || status === 204;
  const isWhole =
    hasNoBody || (isChunked ? bytes.subarray(-5).toString() === '0\r\n\r\n' : body >= length);
  return isWhole ? { status, isKept: !/^connection: close$/im.test(head) } : null;
}
