// Every figure of the bench: its name, its text and its target.

const atLeast = (target) => ({ text: `at least ${target}`, isMet: (value) => value >= target });
const atMost = (target) => ({ text: `at most ${target}`, isMet: (value) => value <= target });
const noTarget = null;

const PUBLIC_PATHS = {
  'cards-1000': ['card, 1,000 cards', 0.9],
  'cards-one': ['card, one card', 0.95],
  'contact-file': ['contact.vcf', 0.85],
  profile: ['GET user', 0.85],
  photo: ['photo', 0.85],
  preview: ['preview picture', 0.85],
  policy: ['policy page', 0.85],
};
/** Compared with the service without its log. */
const LOG_TARGET = 0.8;

const ATTACKS = {
  'long-names': 'names of 15 and 63 KB',
  guesses: 'guesses of codes and tokens',
  previews: 'preview requests of one account',
  saves: 'saves of one account',
  photos: 'photos of 16 megapixels of eight accounts',
  download: 'one owner downloads 100,000 contacts',
  'unread-downloads': 'twelve downloads that nobody reads',
  notifications: 'saves while 100,000 notifications are due',
  'hanging-provider': 'invalid tokens for a login provider that hangs',
  'hanging-store': 'photo store hangs',
  'locked-row': 'ten saves of a locked row of PostgreSQL',
  contacts: '50,000 contacts to the card from 200 networks',
};

const entries = (object, toRows) =>
  Object.entries(object).flatMap(([id, value]) => toRows(id, value));

/** By part: rows of id, text and target. */
export const FIGURES = {
  paths: entries(PUBLIC_PATHS, (id, [text, target]) => [
    [id, `${text}: ratio`, atLeast(target)],
    [`${id}-rate`, `${text}, a second`, noTarget],
  ]),
  log: entries(PUBLIC_PATHS, (id, [text]) => [
    [`log-${id}`, `${text}: ratio`, atLeast(LOG_TARGET)],
  ]),
  misses: [
    ['miss-cpu', 'a card that is not cached, brotli: CPU ms', atMost(1.1)],
    ['hit-cpu', 'the same card, cached, by the same client: CPU ms', noTarget],
  ],
  saves: [
    ['save-cpu', 'a save: CPU ms, all threads', atMost(0.4)],
    ['save-rate', 'saves a second on one core, disk of this machine', noTarget],
  ],
  'slow-disk': [
    ['slow-save-rate', 'saves a second, 32 owners', atLeast(1500)],
    ['slow-save-p50', 'a save: p50 ms', noTarget],
    ['slow-save-p99', 'a save: p99 ms', noTarget],
    ['slow-idle-card-p50', 'cached card, no saves: p50 ms', noTarget],
    ['slow-idle-card-p99', 'cached card, no saves: p99 ms', noTarget],
    ['slow-card-p50', 'cached card during the load: p50 ms', noTarget],
    ['slow-card-p99', 'cached card during the load: p99 ms', noTarget],
    ['slow-card-ratio', 'cached card during the load: p99, ratio to no saves', atMost(2)],
    ['slow-profile-p99', 'GET user during the load: p99 ms', atMost(10)],
    ['slow-miss-p99', 'a card that is not cached, during the load: p99 ms', atMost(10)],
  ],
  'group-commit': [
    ['group-saves', 'saves: ratio to the database alone', atLeast(0.5)],
    ['group-saves-rate', 'saves a second', noTarget],
    ['group-saves-alone', 'saves a second, database alone', noTarget],
    ['group-contacts', 'contacts: ratio to the database alone', atLeast(0.5)],
    ['group-contacts-rate', 'contacts a second', noTarget],
    ['group-contacts-alone', 'contacts a second, database alone', noTarget],
  ],
  start: [
    ['start-npm', '`npm start` again until it serves: s', atMost(1.5)],
    ['start-server', 'the server alone: s', noTarget],
    ['start-npm-alone', '`npm start` with an empty script: s', noTarget],
  ],
  attacks: entries(ATTACKS, (id, text) => [
    [`${id}-before-p50`, `${text}: p50 before, ms`, noTarget],
    [`${id}-during-p50`, `${text}: p50 during it, ms`, noTarget],
    [`${id}-before-p99`, `${text}: p99 before, ms`, noTarget],
    [`${id}-during-p99`, `${text}: p99 during it, ms`, noTarget],
    [`${id}-ratio`, `${text}: p99, ratio to before`, atMost(2)],
    [`${id}-rate`, `${text}: replies per second`, noTarget],
  ]),
  analytics: [
    ['visit-cpu', 'a counted visit, written: CPU ms, all threads', noTarget],
    ['visits-cpu', '100 counted visits a second: part of one core', atMost(0.05)],
  ],
  memory: [
    ['memory-start', 'resident memory at start: MB', noTarget],
    ['memory-half', 'after 50,000 distinct cards: MB', noTarget],
    ['memory-all', 'after 100,000 distinct cards: MB', atMost(300)],
  ],
  tail: [
    ['tail-cpu', 'a request: CPU ms, all threads and processes', atMost(0.35)],
    ['tail-hits', 'requests answered from memory: per cent', atLeast(78)],
    ['tail-memory', 'resident memory: MB', noTarget],
  ],
  contacts: [
    ['contacts-newest', 'a page of the newest: p99 ms', atMost(20)],
    ['contacts-by-name', 'a page by name: p99 ms', atMost(20)],
    ['contacts-found', 'a page of a search: p99 ms', atMost(50)],
    ['contacts-missed', 'a search that finds nothing: p99 ms', atMost(100)],
    ['contacts-export', 'export of 100,000 as CSV: s', noTarget],
    ['contacts-export-memory', 'growth of the memory meanwhile: MB', atMost(64)],
  ],
  page: [
    ['page-requests', 'requests of the first view', atMost(3)],
    ['page-document', 'bytes of the card page, brotli', atMost(10_240)],
    ['page-bytes', 'bytes of the first view with headers and icon, without the photo', noTarget],
    ['page-paint', 'first contentful paint on a slow phone: ms', noTarget],
    ['page-popup', 'tap on Connect until the pop-up: ms', noTarget],
    ['page-shift', 'layout shift', atMost(0)],
    ['lighthouse-performance', 'Lighthouse: performance', atLeast(100)],
    ['lighthouse-accessibility', 'Lighthouse: accessibility', atLeast(100)],
    ['lighthouse-best-practices', 'Lighthouse: best practices', atLeast(100)],
    ['lighthouse-seo', 'Lighthouse: SEO', atLeast(100)],
    ['login-paint', 'landing page, 50 kB/s, 400 ms, slow processor: first paint ms', atMost(1000)],
    ['login-ready', 'landing page there: phone field usable ms', atMost(2000)],
    ['dashboard-paint', 'dashboard there: first paint ms', noTarget],
    ['dashboard-qr', 'dashboard there: QR code ms', atMost(6000)],
    ['dashboard-application', 'dashboard there: application ms', noTarget],
    ['edit-form', 'Edit Profile there: form ms', atMost(7000)],
    ['edit-requests', 'Edit Profile there: requests until the form', noTarget],
    ['edit-bytes', 'Edit Profile there: bytes until the form', noTarget],
    ['card-buttons', 'card there: name and buttons ms', atMost(1200)],
    ['card-portrait', 'card there, three pixels a point: portrait ms', atMost(2500)],
    ['shortcut-qr', 'shortcut to the QR, warm, processor of this machine: ms', atMost(1000)],
    ['shortcut-qr-slow', 'shortcut to the QR, warm, on the slow phone: ms', noTarget],
  ],
  tests: [
    ['tests-all', '`npm test`: s', atMost(480)],
    ['tests-checks', 'of it build, types, lint, format, unused code: s', noTarget],
    ['tests-unit', 'of it unit and integration: s', noTarget],
    ['tests-browser', 'of it end to end: s', noTarget],
    ['lines-product', 'lines of the product', noTarget],
    ['lines-tests', 'lines of tests, their support and hardening', atMost(28_000)],
  ],
};

/** The heading of each part, and how it is measured. */
export const PARTS = {
  paths: [
    'Public paths',
    'The service on one core, 32 connections that keep alive, brotli, each request from another address. Requests for each second of CPU time of the server; ratios are to a bare `node:http` server that sends the same bytes.',
  ],
  log: [
    'Request log',
    'The same load with `LOG_LEVEL=info` into a file. Ratios are to `LOG_LEVEL=error`.',
  ],
  misses: ['Cards that are not cached', 'Read, rendered and compressed, 4 connections.'],
  saves: [
    'Saves',
    '32 connections, each with the card of another owner, one core for all threads of the service.',
  ],
  'slow-disk': [
    'A slow disk',
    'An fsync takes 5 ms more. 32 owners save as fast as the service answers, while others read.',
  ],
  'group-commit': [
    'Group commit',
    'The service with 32 connections, and a program with the same driver that writes the same rows in groups of 32. An fsync takes 5 ms more for both.',
  ],
  start: ['Start', 'The project is installed and built, its data is in SQLite.'],
  attacks: [
    'Attacks and failures',
    'A cached card during the attack or failure, and on the same server just before. An attack uses 8 or 16 connections from 1,600 addresses or more, in a process of the lowest priority. One round of 3 s before it and one during it, so a ratio varies from run to run.',
  ],
  analytics: [
    'Counts of visits',
    'With `VIEWS=analytics`: beacons of visits to 1,000 cards, 16 connections, after 12,000 visits. The time includes the writes; each write has 500 visits, as at 100 visits a second. Each visit comes from another address and opens another card than the one before, so it costs more than a real one: each is a new visitor, and no two are added up in memory.',
  ],
  memory: ['Memory', 'Distinct cards, one after the other on 16 connections.'],
  tail: [
    'The long tail',
    '20,000 cards with 12 networks in Zipf order (s = 1): 40,000 requests on 16 connections after 40,000 that are not measured.',
  ],
  contacts: [
    'Contacts view',
    'An owner with 10,000 contacts, 500 pages of 100 contacts (120 with a search) one after the other on one connection, after 50 (20) that are not measured; another owner with 100,000.',
  ],
  page: [
    'The first view',
    'Chromium with 150 ms latency, 1.6 Mbit/s and a processor four times slower; Lighthouse with its mobile preset. The shortcut opens `/dashboard?qr` with the service worker of an earlier visit, until the dialog with the QR code is painted.',
  ],
  tests: ['Tests', 'On two cores, with everything installed.'],
};
