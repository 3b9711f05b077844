import { createServer } from 'node:net';
import type { Socket } from 'node:net';

import { listen } from './port.ts';

const OK = 'HTTP/1.1 200 OK\r\n';

function flood(socket: Socket, text: string): void {
  const more = () => {
    while (socket.writable && socket.write(text.repeat(1000)));
  };
  socket.on('drain', more);
  more();
}

/** Each function does something hostile to the sender of a request after reading the request. */
export const HOSTILITIES = {
  'switches protocols': (socket) =>
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n',
    ),
  'floods 100 Continue': (socket) => flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  'floods 103 Early Hints': (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'sends headers without an end': (socket) => {
    const timer = setInterval(() => socket.write('X: y\r\n'), 20);
    socket.once('close', () => clearInterval(timer));
    socket.write(OK);
  },
  'sends an endless body': (socket) => {
    socket.write(`${OK}Content-Type: text/plain\r\n\r\n`);
    flood(socket, 'x');
  },
  'stops in its body': (socket) => socket.write(`${OK}Content-Length: 9\r\n\r\nx`),
  'resets in its body': (socket) =>
    socket.write(`${OK}Content-Length: 9\r\n\r\nx`, () => socket.resetAndDestroy()),
  resets: (socket) => socket.resetAndDestroy(),
  closes: (socket) => socket.end(),
  'is silent': () => undefined,
} as const satisfies Record<string, (socket: Socket) => unknown>;

export type Hostility = keyof typeof HOSTILITIES;

/** Starts a receiver that treats every request in this hostile way. */
export async function startHostileReceiver(hostility: Hostility) {
  const sockets = new Set<Socket>();
  const requested = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => requested.delete(socket));
    socket.once('data', () => {
      requested.add(socket);
      HOSTILITIES[hostility](socket);
    });
  });
  const origin = await listen(server);
  return {
    origin,
    /** Returns the number of open connections on which a request has arrived. */
    openConnections: () => requested.size,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
