import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

import { closeAtEnd } from './folder.ts';
import { listen } from './port.ts';

/** ReadyForQuery ends each answer (postgresql.org/docs/current/protocol-message-formats.html). */
export const READY = 'Z\0\0\0\u0005';

/** Opens a recording proxy to PostgreSQL. It can stop forwarding, and appends `afterReady` to each answer. */
export async function openDatabaseProxy(url: string, afterReady = '') {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const forwards = { requests: true, responses: true };
  let transcript = '';
  const forward = (from: Socket, to: Socket, direction: keyof typeof forwards) => {
    const end = () => void to.destroy();
    sockets.add(from.on('error', end).on('close', end));
    from.on('data', (bytes) => {
      transcript += bytes.toString('latin1');
      const added = bytes.includes(READY) ? afterReady : '';
      if (forwards[direction]) to.write(Buffer.concat([bytes, Buffer.from(added)]));
    });
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    forward(near, far, 'requests');
    forward(far, near, 'responses');
  });
  const near = Object.assign(new URL(url), { port: new URL(await listen(server)).port });
  const cut = () => sockets.forEach((socket) => socket.destroy());
  closeAtEnd(async () => {
    cut();
    server.close();
  });
  return { url: near.href, forwards, transcript: () => transcript, cut };
}
