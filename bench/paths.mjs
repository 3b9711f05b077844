// The public paths compared with raw node:http that sends the same bytes, and with the log of
// production. The service runs on the first core and the load on the second; rounds alternate. A rate
// is requests for each second of the server's CPU time: what one core can do, also where the load
// generator or another program slows the server down.
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';

import { fromAddress } from './client.mjs';
import { median } from './median.mjs';
import { cpuMs, startNode } from './process.mjs';
import { loadPaths } from './wrk.mjs';

/** The first one is the warm-up. */
const ROUNDS = 4;
const SECONDS = 1;
const WARM_UPS_MAX = 10;
const WARM_UP_MS = 4000;
const PREVIEW_TRIES = 50;
/** Headers that Node adds to every response. */
const SKIPPED_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** The measured paths, by the name of their figure. */
async function publicPaths({ ids, photo }, origin) {
  const cards = ids.map((id) => `/user/${id}`);
  const [hot] = cards;
  return {
    'cards-1000': cards,
    'cards-one': [hot],
    'contact-file': [`${hot}/contact.vcf`],
    profile: [`/api${hot}`],
    photo: [photo],
    preview: [await renderPreview(origin, hot)],
    policy: ['/privacy_policy'],
  };
}

/** Returns the path of a preview picture that is rendered. Until then the service sends a plain one. */
async function renderPreview(origin, card) {
  const headers = fromAddress(0, '172.21');
  const page = await (await fetch(origin + card, { headers })).text();
  const path = /\/user\/\w+\/preview\.jpg\?v=[\w-]+/.exec(page)[0];
  for (let tries = 0; tries < PREVIEW_TRIES; tries += 1) {
    const response = await fetch(origin + path, { headers: fromAddress(tries, '172.22') });
    await response.arrayBuffer();
    if (response.headers.get('cache-control')?.includes('immutable')) return path;
  }
  throw new Error('The preview picture was not rendered.');
}

/** Returns the ratios to raw node:http. */
export async function measurePaths(rig) {
  const service = await rig.startService();
  const paths = await publicPaths(rig, service.origin);
  const responses = [];
  for (const path of Object.values(paths).flat()) {
    responses.push(await readResponse(service.origin, path, responses.length));
  }
  const file = join(rig.folder, 'responses.json');
  writeFileSync(file, JSON.stringify(responses));
  const raw = await startNode([join(import.meta.dirname, 'raw.mjs'), file], rig);
  const figures = compare(rig, { paths, ours: service, base: raw });
  await service.stop();
  await raw.stop('SIGKILL');
  return figures;
}

/** Returns the ratios with the log of production to those without. */
export async function measureLog(rig) {
  const silent = await rig.startService();
  const logging = await rig.startService({ env: { LOG_LEVEL: 'info' } });
  const paths = await publicPaths(rig, silent.origin);
  await renderPreview(logging.origin, paths['cards-one'][0]);
  const figures = compare(rig, { paths, ours: logging, base: silent });
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
async function readResponse(origin, path, at) {
  const headers = { 'accept-encoding': 'br', ...fromAddress(at, '172.16') };
  await receive(origin + path, headers);
  const { status, rawHeaders, body } = await receive(origin + path, headers);
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 1 || SKIPPED_HEADERS.has(name.toLowerCase())
      ? []
      : [[name, rawHeaders[index + 1]]],
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
