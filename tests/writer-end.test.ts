import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { createOwner, sendRequest } from './support/owner.ts';
import { startServer } from './support/server.ts';
import { newFolder } from './support/folder.ts';

/** Ends the thread of the last message on a signal, as a lack of memory would. */
const END_THREAD = `
const { Worker } = require('node:worker_threads');
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (...values) {
  process.removeAllListeners('SIGUSR2').on('SIGUSR2', () => this.terminate());
  return postMessage.apply(this, values);
};`;

test('writing thread: its end stops the service with an error, and a restart has all saves', async () => {
  const hook = join(newFolder(), 'end-thread.cjs');
  writeFileSync(hook, END_THREAD);
  const server = await startServer({ NODE_OPTIONS: `--require=${hook}` });
  onTestFinished(() => server.dispose());
  const owner = await createOwner(server, '9876543210', { name: 'Asha' });

  expect(await server.stop('SIGUSR2')).toBe(1);
  expect(server.errors()).toContain('The writing thread has ended.');
  const again = await startServer({ DATA_DIR: server.dataDir });
  onTestFinished(async () => void (await again.stop()));
  expect(await sendRequest(again, `/user/${owner._id}`)).toMatchObject({ name: 'Asha' });
});
