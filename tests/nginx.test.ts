import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { newFolder } from './support/folder.ts';
import { runNginx } from './support/nginx.ts';
import { close, freePort, listen } from './support/port.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const SAMPLE = read('deploy/nginx.conf');
const NODE = 'server 127.0.0.1:3000 max_fails=1 fail_timeout=2s;';

/** Empty where nginx is not installed. */
const NGINX = spawnSync('sh', ['-c', 'command -v nginx'], { encoding: 'utf8' }).stdout.trim();

/** Answers photos with 503, as without its photo store, and all else with 200. */
const withoutPhotos: RequestListener = (request, response) => {
  response.statusCode = request.url?.startsWith('/photos/') ? 503 : 200;
  response.end();
};

async function startNode(listener = withoutPhotos): Promise<Server> {
  const node = createServer(listener);
  await listen(node);
  onTestFinished(() => void node.close());
  return node;
}

/** Starts nginx with the sample in front of the nodes, without TLS. Returns its origin. */
async function startNginx(
  nodes: readonly Server[],
  change = (sample: string) => sample,
  folder = newFolder(),
) {
  const port = await freePort();
  const ports = nodes.map((node) => (node.address() as AddressInfo).port);
  const sample = SAMPLE.replace(NODE, ports.map((one) => NODE.replace('3000', `${one}`)).join('\n'))
    .replaceAll(/^\tlisten (?:80|\[::\]:\d+).*\n/gm, '')
    .replace('listen 443 ssl http2', `listen 127.0.0.1:${port} default_server`)
    .replaceAll(/^\tssl_certificate.*\n/gm, '')
    .replace(/access_log \/\S+/, `access_log ${join(folder, 'access.log')}`);
  runNginx(NGINX, change(sample));
  const origin = `http://127.0.0.1:${port}`;
  const isReady = () => fetch(origin).then(Boolean, () => false);
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
  return origin;
}

test('nginx.conf: nodes without a photo store serve cards', async () => {
  // What decides whether a node is skipped.
  expect(SAMPLE).toMatch(/\tproxy_next_upstream error timeout;\n/);
  if (NGINX === '') return;
  const nodes = [await startNode(), await startNode()];
  const origin = await startNginx(nodes);
  const status = async (path: string) => (await fetch(origin + path)).status;
  for (let count = 0; count < 4; count += 1) expect(await status('/photos/absent.jpg')).toBe(503);
  expect(await status('/user/AbCdEfGhJkMnPqRs')).toBe(200);
  if (nodes[0]) await close(nodes[0]);
  for (let count = 0; count < 4; count += 1) expect(await status('/')).toBe(200);
});

test('nginx.conf: ends an idle connection to a node before the node does', async () => {
  expect(SAMPLE).toContain('\tkeepalive_timeout 2s;\n');
  if (NGINX === '') return;
  const node = await startNode();
  node.keepAliveTimeout = 300_000;
  let connections = 0;
  node.on('connection', (socket) => {
    connections += 1;
    socket.on('close', () => (connections -= 1));
  });
  await startNginx([node]);
  expect(connections).toBeGreaterThan(0);
  await expect.poll(() => connections, { timeout: 60_000 }).toBe(0);
});

test('nginx.conf: has connections left for visitors when 200 streams are open', async () => {
  expect(SAMPLE).toMatch(/live\$ \{\s+limit_conn tessera_live 200;/);
  if (NGINX === '') return;
  const node = await startNode((request, response) => {
    if (request.url?.endsWith('/live'))
      response.writeHead(200, { 'x-accel-buffering': 'no' }).write(':\n\n');
    else response.end();
  });
  const origin = await startNginx([node]);
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const paths = ['/api/user/AbCdEfGhJkMnPqRs/live', '/api/table/0123456789/live'];
  // A response that is collected as garbage ends its stream.
  const responses: Response[] = [];
  for (let count = 0; count <= 200; count += 1)
    responses.push(await fetch(origin + paths[count % 2], { signal: closing.signal }));
  const refused = responses.flatMap(({ status }, at) => (status === 200 ? [] : [[at, status]]));
  expect(refused).toEqual([[200, 503]]);
  expect((await fetch(`${origin}/user/AbCdEfGhJkMnPqRs`)).status).toBe(200);
});

test('nginx.conf: its logs have no token of a receipt, also without a node', async () => {
  if (NGINX === '') return;
  const folder = newFolder();
  const node = await startNode();
  const withErrorLog = (sample: string) => `error_log ${folder}/error.log;\n${sample}`;
  const origin = await startNginx([node], withErrorLog, folder);
  const token = 'a'.repeat(43);
  const paths = [`/receipt/${token}?withdraw=1`, `/%72eceipt/${token}`, '/user/AbCdEfGhJkMnPqRs'];
  for (const path of paths) expect((await fetch(origin + path)).status).toBe(200);
  await close(node);
  for (const path of paths) expect((await fetch(origin + path)).status).toBe(502);
  const logged = (name: string) => readFileSync(join(folder, name), 'utf8');
  await expect.poll(() => logged('error.log')).toMatch(/upstream.*\/user\/AbCdEfGhJkMnPqRs/);
  expect(logged('access.log').match(/"path":"\/receipt\/"/g)).toHaveLength(4);
  expect(logged('access.log') + logged('error.log')).not.toContain(token);
});

test('docs/operate/proxy.md: nginx keeps one copy of a card for each language', async () => {
  const page = read('docs/operate/proxy.md');
  const [, example = ''] = /```nginx\n(.*?)```/s.exec(page) ?? [];
  const [map = '', location = ''] = example.split(/^# In the location.*\n/m);
  expect(location).toContain('proxy_ignore_headers Vary;');
  if (NGINX === '') return;
  const asked: (string | undefined)[] = [];
  const node = await startNode(({ headers }, response) => {
    if (headers['accept-language'] !== undefined) asked.push(headers['accept-language']);
    const cached = { vary: 'accept-language', 'cache-control': 'public, s-maxage=60' };
    response.writeHead(200, cached).end(headers['accept-language']);
  });
  const zone = `${map}\nproxy_cache_path ${newFolder()} keys_zone=cards:1m;\n`;
  const origin = await startNginx([node], (sample) =>
    sample
      .replace('upstream tessera', (line) => zone + line)
      .replace('location / {', (line) => `${line}\n${location}\nproxy_cache cards;`),
  );
  asked.length = 0;
  const answers: string[] = [];
  for (const accepted of 'ta-IN,en;q=0.8 ta TA;q=0.9,fr hi fr-FR,ta tam hi-IN'.split(' ')) {
    const headers = { 'accept-language': accepted };
    answers.push(await (await fetch(`${origin}/user/AbCdEfGhJkMnPqRs`, { headers })).text());
  }
  expect(answers.join(' ').toLowerCase()).toBe('ta ta ta hi en en hi');
  expect(asked).toEqual(['ta', 'TA', 'hi', 'en']);
});
