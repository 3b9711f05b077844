import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { newFolder } from './support/folder.ts';
import { waitUntil } from './support/polling.ts';
import { startServer } from './support/server.ts';

/** Throws in handlers of each kind on a signal, in the process of the service alone. */
const THROW = `
  const { EventEmitter } = require('node:events');
  const { Worker, isMainThread } = require('node:worker_threads');
  const { execFile } = require('node:child_process');
  const { createReadStream } = require('node:fs');
  const fail = (kind) => { throw new Error('thrown in ' + kind); };
  const thread = 'require("node:worker_threads").parentPort.postMessage(1)';
  if (isMainThread) process.on('SIGUSR2', () => {
    setTimeout(() => fail('a timer'));
    setImmediate(() => fail('an immediate'));
    process.nextTick(() => fail('a tick'));
    queueMicrotask(() => fail('a microtask'));
    Promise.reject(new Error('thrown in a promise'));
    new Worker(thread, { eval: true }).on('message', () => fail('a message'));
    execFile(process.execPath, ['--version'], () => fail('a child process'));
    createReadStream('/absent').on('error', () => fail('a stream'));
    new EventEmitter().emit('error', new Error('thrown in an emitter'));
  });`;

const KINDS = [
  'a child process',
  'a message',
  'a microtask',
  'a promise',
  'a stream',
  'a tick',
  'a timer',
  'an emitter',
  'an immediate',
];

test('handler: what one throws is logged, and the service goes on', async () => {
  const hook = join(newFolder(), 'throw.cjs');
  writeFileSync(hook, THROW);
  const server = await startServer({ NODE_OPTIONS: `--require=${hook}`, LOG_LEVEL: 'info' });
  onTestFinished(() => server.dispose());
  void server.stop('SIGUSR2');
  const thrown = () => {
    const found = server.output().matchAll(/"thrown in ([a-z ]+)"/g);
    return [...new Set(Array.from(found, ([, kind = '']) => kind))].toSorted();
  };
  await waitUntil(() => thrown().length >= KINDS.length);
  expect(thrown()).toEqual(KINDS);
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});
