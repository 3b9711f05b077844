// What every measurement uses: cards, owners and the service.
import { hash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import { killAll, startService } from './service.mjs';

const CARDS = 20_000;
const OWNERS = 32;
const FIRST_ID = 1_000_000_000_000_000;
const DAY_MS = 86_400_000;
const NETWORKS =
  'Web Maps Instagram LinkedIn Pinterest Facebook YouTube Snapchat Behance X Dribbble'.split(' ');
const HANDLES = {
  Whatsapp: '9876543210',
  ...Object.fromEntries(NETWORKS.map((name) => [name, `https://${name}.example/asha.rao`])),
};
const CARD = {
  name: 'Asha Rao',
  designation: 'Principal Architect',
  company_name: 'Rao & Partners Architects',
  bio: 'Houses that keep cool without machines. Bengaluru, Pune and the hills between. '.repeat(5),
  phone: '+91 98765 43210',
  email: 'asha.rao@rao-partners.example',
  social_media_handles: JSON.stringify(HANDLES),
};

/** The id of the card with this number, from 1: 16 characters of the alphabet of ids, which has no 0. */
const idOf = (number) => String(FIRST_ID + number).replaceAll('0', 'z');

/** Creates the data for the build of a checkout, by its own migrations. */
export async function createSetup(checkout) {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
  /** Returns a data folder with as many cards. */
  async function fill(cards) {
    const dataDir = join(folder, `cards-${cards}`);
    await (await startService(checkout, { dataDir, folder })).stop();
    insertCards(dataDir, cards);
    return dataDir;
  }

  const cards = await fill(CARDS);
  const owners = insertSessions(cards);
  return {
    checkout,
    folder,
    cards,
    owners,
    /** The ids of cards from a number on. */
    idsFrom: (first, length) => Array.from({ length }, (_, index) => idOf(first + index)),
    fill,
    start: ({ dataDir = cards, ...options } = {}) =>
      startService(checkout, { dataDir, folder, ...options }),
    dispose: () => {
      killAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs statements without values: a prepared one would keep the file open after it is closed. */
export function execute(dataDir, statements) {
  const database = new DatabaseSync(join(dataDir, 'tessera.sqlite'));
  database.exec(`PRAGMA cache_size = -500000; ${statements}`);
  database.close();
}

export function hasTable(dataDir, name) {
  const database = new DatabaseSync(join(dataDir, 'tessera.sqlite'));
  const row = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(name);
  database.close();
  return row !== undefined;
}

const quoted = (value) => `'${value.replaceAll("'", "''")}'`;

function insertCards(dataDir, count) {
  execute(
    dataDir,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO users (id, login_phone, ${Object.keys(CARD).join(', ')}, created_at, updated_at)
    SELECT replace(CAST(${FIRST_ID} + n AS TEXT), '0', 'z'), 'phone' || n,
      ${Object.values(CARD).map(quoted).join(', ')}, 0, 0 FROM numbers`,
  );
}

/** Signs the owners of the first cards in. */
function insertSessions(dataDir) {
  const now = Date.now();
  const owners = Array.from({ length: OWNERS }, (_, index) => ({
    id: idOf(index + 1),
    token: randomBytes(32).toString('base64url'),
  }));
  const rows = owners.map(
    ({ id, token }) =>
      `('${hash('sha256', token, 'hex')}', '${id}', ${now}, ${now}, ${now + DAY_MS})`,
  );
  execute(
    dataDir,
    `INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at) VALUES ${rows.join(', ')}`,
  );
  return owners;
}
