import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { newFolder } from './support/folder.ts';
import { runNginx } from './support/nginx.ts';
import { freePort } from './support/port.ts';

const SAMPLE = join(import.meta.dirname, '../deploy/nginx.conf');
const NODE = 'server 127.0.0.1:3000 max_fails=1 fail_timeout=2s;';
const CERTIFICATE_LINES = /^\tssl_certificate.*\n/gm;

function findNginx(): string | null {
  try {
    return execFileSync('sh', ['-c', 'command -v nginx'], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

/** Starts a node that answers photos with 503, as without its photo store, and all else with 200. */
async function startNode(): Promise<Server> {
  const node = createServer((request, response) => {
    response.statusCode = request.url?.startsWith('/photos/') ? 503 : 200;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(node, 'listening');
  onTestFinished(() => void node.close());
  return node;
}

/** Starts nginx with the sample in front of the nodes, without TLS. Returns its origin. */
async function startNginx(program: string, nodes: readonly Server[]): Promise<string> {
  const folder = newFolder();
  const port = await freePort();
  const lines = nodes.map((node) =>
    NODE.replace('3000', String((node.address() as AddressInfo).port)),
  );
  const sample = readFileSync(SAMPLE, 'utf8')
    .replace(NODE, lines.join('\n'))
    .replaceAll(/^\tlisten (?:80|\[::\]:\d+).*\n/gm, '')
    .replace('listen 443 ssl http2', `listen 127.0.0.1:${port} default_server`)
    .replaceAll(CERTIFICATE_LINES, '')
    .replace(/access_log \S+/, `access_log ${join(folder, 'access.log')}`);
  runNginx(program, sample);
  const origin = `http://127.0.0.1:${port}`;
  const isReady = () => fetch(origin).then(Boolean, () => false);
  await expect.poll(isReady, { timeout: 10_000 }).toBe(true);
  return origin;
}

test('nginx.conf: nodes without a photo store serve cards', async () => {
  const program = findNginx();
  if (program === null) {
    // Where nginx is not installed: what decides whether a node is skipped.
    expect(readFileSync(SAMPLE, 'utf8')).toMatch(/\tproxy_next_upstream error timeout;\n/);
    return;
  }
  const nodes = [await startNode(), await startNode()];
  const origin = await startNginx(program, nodes);
  const status = async (path: string) => (await fetch(origin + path)).status;
  for (let count = 0; count < 4; count += 1) expect(await status('/photos/absent.jpg')).toBe(503);
  expect(await status('/user/AbCdEfGhJkMnPqRs')).toBe(200);
  nodes[0]?.close();
  nodes[0]?.closeAllConnections();
  for (let count = 0; count < 4; count += 1) expect(await status('/')).toBe(200);
});

test('nginx.conf: ends an idle connection to a node before the node does', async () => {
  const program = findNginx();
  if (program === null) {
    expect(readFileSync(SAMPLE, 'utf8')).toContain('\tkeepalive_timeout 2s;\n');
    return;
  }
  const node = await startNode();
  const connections = new Set<Socket>();
  node.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  await startNginx(program, [node]);
  expect(connections.size).toBeGreaterThan(0);
  await expect.poll(() => connections.size, { timeout: 3500 }).toBe(0);
});
