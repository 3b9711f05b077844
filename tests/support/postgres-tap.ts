import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** The frontend messages that the server answers (postgresql.org/docs/current/protocol-flow.html). */
const ROUND_TRIPS = new Set(['Q', 'S']);
const LENGTH_BYTES = 4;

/** Calls `onMessage` with the type of each frontend message after the startup message. */
function messageReader(onMessage: (type: string) => void) {
  let rest = Buffer.alloc(0);
  let isStarted = false;
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      // The startup message has no type.
      const typeBytes = isStarted ? 1 : 0;
      if (rest.length < typeBytes + LENGTH_BYTES) return;
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) return;
      if (isStarted) onMessage(rest.toString('latin1', 0, 1));
      isStarted = true;
      rest = rest.subarray(end);
    }
  };
}

/** Starts a proxy to PostgreSQL that counts the round trips of all connections. */
export async function openPostgresTap(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let roundTrips = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const read = messageReader((type) => (roundTrips += ROUND_TRIPS.has(type) ? 1 : 0));
    client.on('data', read);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const proxyUrl = new URL(url);
  proxyUrl.port = String(typeof address === 'object' && address ? address.port : 0);
  return {
    url: proxyUrl.href,
    count: async (work: () => Promise<unknown>): Promise<number> => {
      const before = roundTrips;
      await work();
      return roundTrips - before;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
