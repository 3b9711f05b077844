// Writes the rows of saves or contacts in groups and prints how many a second.
// Arguments: the data folder, `saves` or `contacts`, seconds.
import { randomBytes, randomInt } from 'node:crypto';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

/** As many as there are owners that save. */
const GROUP_SIZE = 32;
const DAY_MS = 24 * 60 * 60 * 1000;
const COUNTERS_OF_CONTACT = 4;
/** As in server/adapter/profile/store.ts. */
const VERSION_END = 2 ** 48 - 1;

const [folder, kind, seconds] = process.argv.slice(2);
const database = new DatabaseSync(join(folder, 'tessera.sqlite'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
const ids = database
  .prepare('SELECT id FROM users')
  .all()
  .map(({ id }) => id);

const update = database.prepare(
  'UPDATE users SET name = ?1, bio = ?2, social_media_handles = json_patch(social_media_handles, ?3), updated_at = ?4, version = ?5 WHERE id = ?6',
);
const insert = database.prepare(
  'INSERT INTO contacts (id, user_id, name, mobile, email, company_name, created_at, held) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0)',
);
const count = database.prepare(
  'INSERT INTO counters (key, count, expires_at) VALUES (?1, 1, ?2) ON CONFLICT (key) DO UPDATE SET count = counters.count + 1',
);

const WRITES = {
  saves: (index) => {
    update.run(
      `Asha Rao ${index}`,
      'Houses that keep cool. '.repeat(10),
      '{}',
      Date.now(),
      randomInt(VERSION_END),
      ids[index % GROUP_SIZE],
    );
  },
  contacts: (index) => {
    const now = Date.now();
    const user = ids[index % ids.length];
    for (let counter = 1; counter < COUNTERS_OF_CONTACT; counter += 1) {
      count.run(`bench:${randomBytes(16).toString('hex')}`, now + DAY_MS);
    }
    count.run(`contact:card:${user}`, now + DAY_MS);
    insert.run(randomBytes(16).toString('hex'), user, `Ravi ${index}`, '98450 12345', '', '', now);
  },
};

const write = WRITES[kind];
const startedAt = performance.now();
let written = 0;
while (performance.now() - startedAt < Number(seconds) * 1000) {
  database.exec('BEGIN IMMEDIATE');
  for (let index = 0; index < GROUP_SIZE; index += 1) {
    write(written);
    written += 1;
  }
  database.exec('COMMIT');
}
process.stdout.write(`${(written * 1000) / (performance.now() - startedAt)}\n`);
database.close();
