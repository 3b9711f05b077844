import { connect } from 'node:net';

import type { ClientBase } from 'pg';

/** CancelRequest (postgresql.org/docs/current/protocol-message-formats.html). */
const REQUEST_CODE = 80_877_102;
const REQUEST_SIZE_BYTES = 16;
const TIMEOUT_MS = 1000;

/** The key of a connection on the server. The driver's types do not name it. */
interface ConnectionKey {
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/**
 * Requests that the server ends the statement of a connection. A server process that waits for a lock
 * does not notice that its client has disconnected. The request needs no free connection and gets no
 * response. Like that of libpq it is not encrypted, and its key is worthless once the connection has
 * ended.
 */
export function cancelStatement(client: ClientBase): void {
  const { host, port, processID, secretKey } = client as unknown as ConnectionKey;
  if (processID === null || secretKey === null) return;
  const request = Buffer.alloc(REQUEST_SIZE_BYTES);
  request.writeInt32BE(REQUEST_SIZE_BYTES, 0);
  request.writeInt32BE(REQUEST_CODE, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/')
    ? connect(`${host}/.s.PGSQL.${port}`)
    : connect({ host, port });
  socket.unref();
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
  // The server's own timeout ends the statement if the request does not arrive.
  socket.on('error', () => undefined);
  socket.end(request);
}
