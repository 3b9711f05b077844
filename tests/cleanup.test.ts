import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openSqlite } from '#server/db/sqlite.ts';

import { createOwner } from './support/owner.ts';
import { waitUntil } from './support/polling.ts';
import { startServer } from './support/server.ts';

test('cleanup: a start of the server removes expired rows and orphaned photo files', async () => {
  const first = await startServer();
  onTestFinished(() => first.dispose());
  await first.stop();
  const database = openSqlite(join(first.dataDir, 'tessera.sqlite'));
  await database.run("INSERT INTO counters (key, count, expires_at) VALUES ('expired', 1, 0)");
  mkdirSync(join(first.dataDir, 'photos'), { recursive: true });
  const orphan = join(first.dataDir, 'photos', 'unfinished.part');
  writeFileSync(orphan, '');
  utimesSync(orphan, 0, 0);

  const second = await startServer({ DATA_DIR: first.dataDir });
  onTestFinished(async () => void (await second.stop('SIGKILL')));
  await waitUntil(() => !existsSync(orphan));
  await waitUntil(async () => (await database.all('SELECT key FROM counters')).length === 0);
  await database.close();
});

test('kill -9: an upload that is arriving leaves no part of its picture in the data folder', async () => {
  const server = await startServer();
  onTestFinished(() => server.dispose());
  const { sessionToken } = await createOwner(server, '9876543210', { name: 'Asha' });
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/user/uploadProfileImage HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${sessionToken}\r\n` +
      'Content-Length: 9900000\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n' +
      '--x\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n',
  );
  // More than the buffers of both sockets: the server has received a part of the picture.
  await new Promise((resolve) => socket.write(Buffer.alloc(9_500_000), resolve));
  await server.stop('SIGKILL');
  expect(readdirSync(server.dataDir).filter((name) => !/\.sqlite|^secret/.test(name))).toEqual([]);
});
