// Makes the cards, the owners and the service that every measurement uses.
import { hash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import { ROOT } from '#scripts/ready.mjs';
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
const BIO = 'Houses that keep cool without machines. Bengaluru, Pune and the hills between. ';
const CARD = {
  name: 'Asha Rao',
  designation: 'Principal Architect',
  company_name: 'Rao & Partners Architects',
  bio: BIO.repeat(5),
  phone: '+91 98765 43210',
  email: 'asha.rao@rao-partners.example',
  social_media_handles: JSON.stringify(HANDLES),
};
/** What differs for a card of a database that is kept: eight networks, 180 characters, a photo's palette. */
const KEPT_CARD = {
  ...CARD,
  bio: BIO.repeat(3).slice(0, 180),
  social_media_handles: JSON.stringify(Object.fromEntries(Object.entries(HANDLES).slice(0, 8))),
};
const PALETTES = 12;

/** Returns the id of a card by its number, which starts at 1. Ids have 16 characters and no 0. */
const idOf = (number) => String(FIRST_ID + number).replaceAll('0', 'z');

/** Creates the data for a checkout's build, which runs its own migrations. */
export async function createSetup(checkout) {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
  async function fill(cards, dataDir = join(folder, `cards-${cards}`), card = CARD) {
    await (await startService(checkout, { dataDir, folder })).stop();
    insertCards(dataDir, cards, card);
    return dataDir;
  }

  /** Returns a data folder that is made once for a checkout and kept. */
  async function fillOnce(cards) {
    const name = `${cards}-${hash('sha256', checkout, 'hex').slice(0, 8)}`;
    const dataDir = join(ROOT, '.cache/bench', name);
    if (existsSync(dataDir)) return dataDir;
    const incomplete = `${dataDir}-incomplete`;
    rmSync(incomplete, { recursive: true, force: true });
    mkdirSync(incomplete, { recursive: true });
    await fill(cards, incomplete, KEPT_CARD);
    execute(incomplete, `UPDATE users SET photo_palette = rowid % ${PALETTES}`);
    renameSync(incomplete, dataDir);
    return dataDir;
  }

  const cards = await fill(CARDS);
  const owners = insertSessions(cards, OWNERS);
  return {
    checkout,
    folder,
    cards,
    owners,
    idOf,
    idsFrom: (first, length) => Array.from({ length }, (_, index) => idOf(first + index)),
    fillOnce,
    start: ({ dataDir = cards, ...options } = {}) =>
      startService(checkout, { dataDir, folder, ...options }),
    dispose: () => {
      killAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs statements without values, because a prepared statement would keep the closed file open. */
export function execute(dataDir, statements) {
  const database = new DatabaseSync(join(dataDir, 'tessera.sqlite'));
  database.exec(`PRAGMA cache_size = -500000; ${statements}`);
  database.close();
}

const quoted = (value) => `'${value.replaceAll("'", "''")}'`;

function insertCards(dataDir, count, card) {
  execute(
    dataDir,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO users (id, login_phone, ${Object.keys(card).join(', ')}, created_at, updated_at)
    SELECT replace(CAST(${FIRST_ID} + n AS TEXT), '0', 'z'), 'phone' || n,
      ${Object.values(card).map(quoted).join(', ')}, 0, 0 FROM numbers`,
  );
}

/** Signs the owners of the first cards in. */
export function insertSessions(dataDir, count) {
  const now = Date.now();
  const owners = Array.from({ length: count }, (_, index) => ({
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
