// Saves and contacts a second, compared with the database alone: a program with the same driver that
// writes the same rows in groups of 32, one commit each. Both have an fsync of 5 ms more.
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { median } from './percentile.mjs';
import { saveRequests } from './saves.mjs';
import { slowDiskEnvironment } from './slow-disk.mjs';
import { loadWrites } from './wrk.mjs';

const ROUNDS = 3;
const SECONDS = 2;
const PROGRAM = join(import.meta.dirname, 'group-commit-program.mjs');

export async function measureGroupCommit(setup) {
  const env = slowDiskEnvironment(setup.folder);
  const service = await setup.startService({ env, cores: '0,1' });
  const copy = join(setup.folder, 'group-commit');
  cpSync(setup.dataDir, copy, { recursive: true });
  const requests = { saves: saveRequests(setup), contacts: contactRequests(setup) };
  const rounds = { saves: [], contacts: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of Object.keys(rounds)) {
      const alone = Number(
        execFileSync(process.execPath, [PROGRAM, copy, kind, String(SECONDS)], {
          env: { ...process.env, ...env },
          encoding: 'utf8',
        }),
      );
      const options = { folder: setup.folder, requests: requests[kind], seconds: SECONDS };
      const { rate, errors } = await loadWrites(service.origin, options);
      if (errors > 0) throw new Error(`${kind}: ${errors} errors`);
      rounds[kind].push({ alone, rate, ratio: rate / alone });
    }
  }
  await service.stop();
  const pick = (kind, key) => median(rounds[kind].map((round) => round[key]));
  return {
    'group-saves': pick('saves', 'ratio'),
    'group-saves-rate': pick('saves', 'rate'),
    'group-saves-alone': pick('saves', 'alone'),
    'group-contacts': pick('contacts', 'ratio'),
    'group-contacts-rate': pick('contacts', 'rate'),
    'group-contacts-alone': pick('contacts', 'alone'),
  };
}

const contactRequests = ({ ids }) =>
  ids.map((userID) => ({
    path: '/api/profile/addContact',
    body: JSON.stringify({ userID, contact: { name: 'Ravi @@', mobile: '98450 12345' } }),
  }));
