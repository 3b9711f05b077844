// Compares the public paths with a bare node:http server that sends the same bytes, and with request
// logging on. The service runs on the first core and the load on the second; rounds alternate. A rate
// is requests for each second of the server's CPU time: what one core can do, also where the load
// generator or another program slows the server down.
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';

import { NETWORKS, fromAddress } from './client.mjs';
import { median } from './percentile.mjs';
import { cpuMs, startNode } from './process.mjs';
import { loadPaths } from './wrk.mjs';

/** The first one is the warm-up. */
const ROUNDS = 8;
const SECONDS = 1;
const WARM_UPS_MAX = 10;
const WARM_UP_MS = 4000;
const PREVIEW_TRIES = 50;
/** Headers that Node adds to every response. */
const SKIPPED_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** The measured paths, by the name of their figure. */
async function publicPaths({ ids, photo }, origin) {
  const cards = ids.map((id) => `/user/${id}`);
  const [firstCard] = cards;
  return {
    'cards-1000': cards,
    'cards-one': [firstCard],
    'contact-file': [`${firstCard}/contact.vcf`],
    profile: [`/api${firstCard}`],
    photo: [photo],
    preview: [await renderPreview(origin, firstCard)],
    policy: ['/privacy_policy'],
  };
}

/** Returns the path of a rendered preview picture. Until then the service sends a placeholder. */
async function renderPreview(origin, card) {
  const headers = fromAddress(0, NETWORKS.previewPages);
  const page = await (await fetch(origin + card, { headers })).text();
  const path = /\/user\/\w+\/preview\.jpg\?v=[\w-]+/.exec(page)[0];
  for (let tries = 0; tries < PREVIEW_TRIES; tries += 1) {
    const headersOfTry = fromAddress(tries, NETWORKS.previews);
    const response = await fetch(origin + path, { headers: headersOfTry });
    await response.arrayBuffer();
    if (response.headers.get('cache-control')?.includes('immutable')) return path;
  }
  throw new Error('The preview picture was not rendered.');
}

/** Returns the ratios to a bare node:http server. */
export async function measurePaths(setup) {
  const service = await setup.startService();
  const paths = await publicPaths(setup, service.origin);
  const responses = [];
  for (const path of Object.values(paths).flat()) {
    responses.push(await readResponse(service.origin, path, responses.length));
  }
  const file = join(setup.folder, 'responses.json');
  writeFileSync(file, JSON.stringify(responses));
  const baseline = await startNode([join(import.meta.dirname, 'baseline.mjs'), file], setup);
  const figures = compare(setup, { paths, ours: service, base: baseline });
  await service.stop();
  await baseline.stop('SIGKILL');
  return figures;
}

/** Returns the ratios with the request log to those without. */
export async function measureLog(setup) {
  const silent = await setup.startService();
  const logging = await setup.startService({ env: { LOG_LEVEL: 'info' } });
  const paths = await publicPaths(setup, silent.origin);
  await renderPreview(logging.origin, paths['cards-one'][0]);
  const figures = compare(setup, { paths, ours: logging, base: silent });
  await silent.stop();
  await logging.stop();
  return Object.fromEntries(
    Object.entries(figures)
      .filter(([name]) => !name.endsWith('-rate'))
      .map(([name, value]) => [`log-${name}`, value]),
  );
}

/** Loads a server until its code is compiled. */
function warmUp(server, options) {
  for (let rounds = 0; rounds < WARM_UPS_MAX && cpuMs(server.pid) < WARM_UP_MS; rounds += 1) {
    load(server, options);
  }
}

/** Returns the median ratio of each path, and its rate per second. */
function compare({ folder }, { paths, ours, base }) {
  const figures = {};
  for (const server of [ours, base]) {
    warmUp(server, { folder, paths: paths['cards-1000'], seconds: SECONDS });
  }
  for (const [name, list] of Object.entries(paths)) {
    const rounds = Array.from({ length: ROUNDS }, () => ({
      base: load(base, { folder, paths: list, seconds: SECONDS }),
      ours: load(ours, { folder, paths: list, seconds: SECONDS }),
    })).slice(1);
    figures[name] = median(rounds.map((round) => round.ours / round.base));
    figures[`${name}-rate`] = median(rounds.map((round) => round.ours));
  }
  return figures;
}

function load({ pid, origin }, options) {
  const before = cpuMs(pid);
  const { count, errors } = loadPaths(origin, options);
  if (errors > 0) throw new Error(`${options.paths[0]}: ${errors} errors`);
  return (count * 1000) / (cpuMs(pid) - before);
}

/** Returns a response as it is sent. The first request renders it, the second reads the cached one. */
async function readResponse(origin, path, index) {
  const headers = { 'accept-encoding': 'br', ...fromAddress(index, NETWORKS.owners) };
  await receive(origin + path, headers);
  const { status, rawHeaders, body } = await receive(origin + path, headers);
  const pairs = rawHeaders.flatMap((name, position) =>
    position % 2 === 1 || SKIPPED_HEADERS.has(name.toLowerCase())
      ? []
      : [[name, rawHeaders[position + 1]]],
  );
  return { path, status, headers: Object.fromEntries(pairs), body: body.toString('base64') };
}

/** Unlike fetch, it does not decompress the body. */
function receive(url, headers) {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const chunks = [];
      const { statusCode: status, rawHeaders } = response;
      response
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () => resolve({ status, rawHeaders, body: Buffer.concat(chunks) }));
    }).on('error', reject);
  });
}
