import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { ROOT } from '#scripts/ready.mjs';

import { makeCertificate } from './certificate.ts';
import { runNginx } from './nginx.ts';
import { withWorker } from './with-worker.ts';

export const ADDRESS = '127.0.0.1';
const [NGINX, CADDY] = ['/usr/sbin/nginx', '/usr/bin/caddy'];

const readDeployed = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8');

/** Replaces values in a text. Throws if the text lacks one of them. */
export function edit(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((edited, [from, to]) => {
    if (!edited.includes(from)) throw new Error(`There is no ${from}`);
    return edited.replaceAll(from, to);
  }, text);
}

type Site = Readonly<{ folder: string; port: number; httpPort: number; nodes: readonly number[] }>;
/** `authority` is the certificate of the proxy or of its signer. `setDown` is called before a node stops. */
type Proxy = Readonly<{
  authority: string;
  log: () => string;
  setDown?: (node: number | null) => void;
}>;

/** Runs a proxy until the end of the test. Returns a function that returns its log. */
function runProxy(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(...withWorker([program, ...args]), {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  return () => log;
}

function startNginx({ folder, port, httpPort, nodes }: Site): Proxy {
  const { certificate, key } = makeCertificate(folder);
  const log = join(folder, 'access.log');
  const site = edit(readDeployed('nginx.conf'), {
    'listen 80;': `listen ${ADDRESS}:${httpPort};`,
    '\tlisten [::]:80;\n': '',
    'listen 443 ssl': `listen ${ADDRESS}:${port} ssl`,
    '\tlisten [::]:443 ssl http2;\n': '',
    'cards.example.com;': 'localhost;',
    '/etc/ssl/certs/cards.example.com.pem': certificate,
    '/etc/ssl/private/cards.example.com.key': key,
    '/var/log/nginx/tessera.log': log,
    'server 127.0.0.1:3000': `server ${ADDRESS}:${nodes[0]}`,
    '# server 10.0.0.12:3000': `server ${ADDRESS}:${nodes[1]}`,
  });
  const reload = runNginx(NGINX, site);
  const setDown = (node: number | null) => {
    const server = `server ${ADDRESS}:${node}`;
    reload(node === null ? site : edit(site, { [server]: `${server} down` }));
  };
  return { authority: certificate, log: () => readFileSync(log, 'utf8'), setDown };
}

/** Caddy is its own authority for localhost. */
export function startCaddy({ folder, port, httpPort, nodes }: Site): Proxy {
  const file = join(folder, 'Caddyfile');
  // These options belong to the machine: its authorities and its ports stay as they are.
  const options = `\tskip_install_trust\n\tadmin off\n\thttp_port ${httpPort}\n`;
  writeFileSync(
    file,
    edit(readDeployed('Caddyfile'), { '\tlog default {': `${options}\tlog default {` }),
  );
  const env = {
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    SITE: `localhost:${port}`,
    NODES: nodes.map((node) => `${ADDRESS}:${node}`).join(' '),
    TRUSTED_PROXIES: '192.0.2.0/24',
  };
  const args = ['run', '--adapter', 'caddyfile', '--config', file];
  const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
  return { authority, log: runProxy(CADDY, args, env) };
}

/** The shipped files with the proxies of this machine. */
export const SITE_PROXIES = [
  { name: 'nginx', program: NGINX, start: startNginx },
  { name: 'Caddy', program: CADDY, start: startCaddy },
].filter(({ program }) => existsSync(program));
