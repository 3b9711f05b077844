import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';

import { SECOND_MS } from '#domain/duration.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError } from '#server/error.ts';

import { runCommand } from './commands.ts';
import { AdminError } from './context.ts';
import type { AdminContext } from './context.ts';

const OWNER_ONLY = 0o600;
const REQUEST_LENGTH_MAX = 64 * 1024;
const REQUEST_TIMEOUT_MS = 10 * SECOND_MS;

/** A command for the service: one JSON text. The reply is one as well. */
export interface AdminRequest {
  readonly name: string;
  readonly input: unknown;
}

interface AdminReply {
  readonly result?: unknown;
  /** A sentence for the operator. */
  readonly error?: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Accepts the commands of `npm run admin` through a socket in the data folder. Returns a function
     * that stops it. With PostgreSQL the command works in its own process.
     */
    openAdminSocket: () => Promise<() => void>;
  }
}

/** Returns the path of the socket. The folder is readable by its owner only. */
export function adminSocketPath(dataDir: string): string {
  return join(dataDir, 'admin.sock');
}

export function listenOnAdminSocket({
  fastify,
  settings,
  dependencies,
  responses,
}: AppContext): void {
  fastify.decorate('openAdminSocket', async () => {
    if (settings.databaseUrl !== null) return () => undefined;
    const path = adminSocketPath(settings.dataDir);
    const { otpCountries: countries, sessionDays } = settings;
    const context = { ...dependencies, countries, sessionDays, responses };
    return openSocket(path, context).catch((error: unknown) => {
      dependencies.log.warn(
        { err: error },
        'admin commands are only possible while the service is stopped',
      );
      return () => undefined;
    });
  });
}

/**
 * Opens the socket. It replaces a socket of a crashed process; the lock of the data folder excludes
 * others.
 */
async function openSocket(path: string, context: AdminContext): Promise<() => void> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    void answer(context, socket);
  });
  await rm(path, { force: true });
  server.listen(path);
  await once(server, 'listening');
  // For example EMFILE. Without a listener, an error would end the service.
  server.on('error', (error) => context.log.error({ err: error }, 'the admin socket failed'));
  await chmod(path, OWNER_ONLY);
  return () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
}

async function answer(context: AdminContext, socket: Socket): Promise<void> {
  let reply: AdminReply;
  try {
    const { name, input } = JSON.parse(await readRequest(socket)) as AdminRequest;
    reply = { result: await runCommand(context, name, input) };
  } catch (error) {
    const isExpected = error instanceof AdminError || error instanceof ApiError;
    if (!isExpected) context.log.error({ err: error }, 'an admin command failed');
    reply = {
      error: isExpected ? error.message : 'The command failed: see the log of the service.',
    };
  }
  socket.end(JSON.stringify(reply));
  socket.destroySoon();
}

/**
 * Returns the text of a request. Throws AdminError for one that is too long or does not end in
 * time.
 */
async function readRequest(socket: Socket): Promise<string> {
  const end = { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) };
  let received = '';
  let length = 0;
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    length += chunk.length;
    if (length <= REQUEST_LENGTH_MAX) received += chunk;
  });
  await once(socket, 'end', end).catch(() => {
    throw new AdminError('The command did not arrive within 10 seconds.');
  });
  if (length > REQUEST_LENGTH_MAX) throw new AdminError('The command is longer than 64 KiB.');
  return received;
}

/**
 * Sends a command to the service. Throws AdminError for a command that failed, and the error of the
 * socket, such as ENOENT, if no service listens.
 */
export async function sendToService(path: string, request: AdminRequest): Promise<unknown> {
  const socket = connect({ path, allowHalfOpen: true });
  await once(socket, 'connect');
  socket.end(JSON.stringify(request));
  const reply = await readReply(socket).catch(() => {
    throw new AdminError(
      'The service has ended before it answered. Check with show or audit whether the change was made.',
    );
  });
  if (reply.error !== undefined) throw new AdminError(reply.error);
  return reply.result;
}

/** Reads until the service has sent everything. Throws if it ends before. */
async function readReply(socket: Socket): Promise<AdminReply> {
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  await once(socket, 'end');
  return JSON.parse(received) as AdminReply;
}
