import { createServer } from 'node:http';

import { expect, onTestFinished, test } from 'vitest';

import { newFolder } from './support/folder.ts';
import { close, freePort, listen } from './support/port.ts';
import { SITE_PROXIES } from './support/site-proxy.ts';

/** Serves a page that names its version, and only the files of its version. */
async function startNode(version: string): Promise<number> {
  const node = createServer(({ url = '' }, response) => {
    const isMissing = url.startsWith('/assets/') && !url.startsWith(`/assets/${version}`);
    response.statusCode = isMissing ? 404 : 200;
    response.end(version);
  });
  onTestFinished(() => close(node));
  return Number(new URL(await listen(node)).port);
}

test.each(SITE_PROXIES)(
  '$name: during an upgrade a page of either version gets its files',
  async ({ start }) => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    onTestFinished(() => void delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);
    const nodes = [await startNode('old'), await startNode('new')];
    const [port, httpPort] = [await freePort(), await freePort()];
    start({ folder: newFolder(), port, httpPort, nodes });
    const status = (path: string) =>
      fetch(`https://localhost:${port}${path}`).then(
        async (response) => `${response.status} ${await response.text()}`,
        () => '',
      );
    const isUp = async () => (await status('/healthz')) !== '';
    await expect.poll(isUp, { timeout: 60_000 }).toBe(true);
    const all = Array.from({ length: 100 }, (_, n) => n);
    for (const version of ['old', 'new']) {
      const found = await Promise.all(all.map((n) => status(`/assets/${version}-${n}.js`)));
      expect(new Set(found)).toEqual(new Set([`200 ${version}`]));
    }
    expect(await status('/assets/none.js')).toMatch(/^404 /);
    // A missing file is no failure of a node, so both still serve cards.
    const cards = await Promise.all(all.map((n) => status(`/user/${n}`)));
    expect(new Set(cards)).toEqual(new Set(['200 old', '200 new']));
  },
);
