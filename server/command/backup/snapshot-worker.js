// @ts-check
// Copies a snapshot of an embedded database in a thread, because a large one takes long. Plain JavaScript
// without imports, because its text is part of the server's bundle.
/** @import { DatabaseSyncInstance } from '@photostructure/sqlite' */
const { parentPort, workerData } = require('node:worker_threads');

const { DatabaseSync } = require(workerData.driver);

/** @type {DatabaseSyncInstance} */
const source = new DatabaseSync(workerData.from, {
  timeout: workerData.busyTimeoutMs,
  readOnly: true,
});
try {
  const tables = source.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  let rows = 0;
  for (const { name } of tables) {
    rows += Number(source.prepare(`SELECT COUNT(*) AS count FROM ${name}`).get().count);
  }
  parentPort?.postMessage(rows);
  source.prepare('VACUUM INTO ?').run(workerData.to);
} finally {
  source.close();
}
