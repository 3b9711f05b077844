import { expect, test, vi } from 'vitest';

import { contactTimeDigits } from '#domain/contact.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#domain/duration.ts';
import { CLOCK_START, fixedClock } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { expectEachHour } from '#tests/support/hourly.ts';
import { recordingLog } from '#tests/support/log.ts';
import { waitUntil } from '#tests/support/polling.ts';

import { createClockGuard } from './clock-guard.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';
import { deleteExpiredRows, runHourly, scheduleRowCleanup } from './cleanup.ts';

const insertRows = (database: Database, name: string, time: number) =>
  database.script(`
    INSERT INTO users (id, login_phone, created_at, updated_at) VALUES ('u', '+91', 0, 0)
      ON CONFLICT (id) DO NOTHING;
    INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at)
      VALUES ('${name}', 'u', 0, 0, ${time});
    INSERT INTO challenges (id, phone, code_hmac, created_at, expires_at)
      VALUES ('${name}', '', '', 0, ${time});
    INSERT INTO exchange_tokens (token_hash, phone, expires_at) VALUES ('${name}', '', ${time});
    INSERT INTO counters (key, count, expires_at) VALUES ('${name}', 1, ${time});
    INSERT INTO used_tokens (token_hash, used_at) VALUES ('${name}', ${time});
    INSERT INTO removed_users (id_hash, removed_at) VALUES ('${name}', ${time});
    INSERT INTO deleted_contacts (id, user_id, name, mobile, email, company_name, created_at, held,
      note, tags, notice, deleted_at)
      VALUES ('${name}', 'u', '', '', '', '', 0, 0, '', '[]', '', ${time});`);

async function remainingKeys(database: Database, table: string, key: string) {
  const rows = await database.all<{ key: string }>(`SELECT ${key} AS key FROM ${table} ORDER BY 1`);
  return rows.map((row) => row.key).join();
}

onEachDatabase((open) => {
  test('cleanup: deletes expired rows after their retention', async () => {
    const { database } = await open();
    await insertRows(database, 'valid', CLOCK_START + 1);
    await insertRows(database, 'expired', CLOCK_START);
    await insertRows(database, '20 seconds ago', CLOCK_START - 20 * SECOND_MS);
    await insertRows(database, 'an hour ago', CLOCK_START - HOUR_MS);
    await insertRows(database, 'a week ago', CLOCK_START - 7 * DAY_MS);
    expect(await deleteExpiredRows(database, CLOCK_START)).toBe(3 * 4 + 2 + 1 + 3);
    for (const [table, key, expected] of [
      ['sessions', 'token_hash', 'valid'],
      ['challenges', 'id', 'valid'],
      ['exchange_tokens', 'token_hash', 'valid'],
      ['counters', 'key', '20 seconds ago,expired,valid'],
      ['used_tokens', 'token_hash', '20 seconds ago,an hour ago,expired,valid'],
      ['deleted_contacts', 'id', 'expired,valid'],
      ['removed_users', 'id_hash', '20 seconds ago,a week ago,an hour ago,expired,valid'],
    ] as const)
      expect([table, await remainingKeys(database, table, key)]).toEqual([table, expected]);
    // More than one batch.
    const values = Array.from({ length: 2500 }, (_, n) => `('key ${n}', 1, 0)`).join(', ');
    await database.run(`INSERT INTO counters (key, count, expires_at) VALUES ${values}`);
    expect(await deleteExpiredRows(database, CLOCK_START)).toBe(2500);
  });

  test('cleanup: deletes contacts after CONTACT_KEEP_DAYS, and none without it', async () => {
    const { database } = await open();
    await insertRows(database, 'a', CLOCK_START);
    const ids = [CLOCK_START - 90 * DAY_MS - 1, CLOCK_START - 90 * DAY_MS].map(contactTimeDigits);
    for (const id of ids)
      await database.run(sql`INSERT INTO contacts (id, user_id, name, mobile, email,
        company_name, created_at) VALUES (${id}, 'u', '', '', '', '', 0)`);
    const rows = () => remainingKeys(database, 'contacts', 'id');
    await deleteExpiredRows(database, CLOCK_START);
    expect(await rows()).toBe(ids.join());
    const clock = { now: () => CLOCK_START };
    const stop = scheduleRowCleanup(
      { database, clock, log: recordingLog().log },
      { contactKeepDays: 90 },
    );
    await waitUntil(async () => (await rows()) === ids[1]);
    stop();
  });

  test('cleanup: deletes at most a tenth of the contacts in a run, logs it, and lets a restore bring them back', async () => {
    const { database } = await open();
    await insertRows(database, 'a', CLOCK_START);
    const old = contactTimeDigits(CLOCK_START - 200 * DAY_MS);
    const values = Array.from({ length: 1500 }, (_, n) => `('${old}${n}', 'u', '', '', '', '', 0)`);
    await database.run(`INSERT INTO contacts (id, user_id, name, mobile, email, company_name,
      created_at) VALUES ${values.join(', ')}`);
    // A contact that its owner has deleted is never brought back.
    await database.run(`DELETE FROM contacts WHERE id = '${old}0'`);
    const { log, lines } = recordingLog('info');
    const options = { contactKeepDays: 90, log };
    const count = async (table: string) =>
      (await database.one<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${table}`))?.rows;
    const remaining: unknown[] = [];
    for (let run = 0; run < 3; run += 1) {
      await deleteExpiredRows(database, CLOCK_START, options);
      remaining.push(await count('contacts'));
    }
    expect(remaining).toEqual([1350, 1215, 1094]);
    expect(await remainingKeys(database, 'removed_contacts', 'id')).toBe(`${old}0`);
    const contacts = lines.filter((line) => line.includes('contacts'));
    expect(contacts).toHaveLength(6);
    expect(contacts[0]).toContain(
      '"table":"contacts","rows":149,"msg":"expired rows were deleted"',
    );
    expect(contacts[1]).toContain('more contacts have expired than one run deletes');
  });

  test('cleanup: deletes nothing after a jump of the clock until the service has run for a day', async () => {
    const { database } = await open();
    const clock = fixedClock();
    let elapsed = 0;
    const { log, lines } = recordingLog('warn');
    const newGuard = () => createClockGuard({ database, clock, log, elapsedMs: () => elapsed });
    const wait = (ms: number) => {
      elapsed += ms;
      clock.advance(ms);
    };
    let isPlausible = newGuard();
    expect(await isPlausible()).toBe(true);
    wait(HOUR_MS);
    expect(await isPlausible()).toBe(true);
    clock.advance(400 * DAY_MS);
    expect(await isPlausible()).toBe(false);
    expect(lines).toEqual([expect.stringContaining('so nothing was deleted')]);
    // A restart changes nothing, and a clock that is right again is believed.
    isPlausible = newGuard();
    expect(await isPlausible()).toBe(false);
    clock.advance(-400 * DAY_MS);
    expect(await isPlausible()).toBe(true);
    // The service was stopped for long.
    clock.advance(400 * DAY_MS);
    expect(await isPlausible()).toBe(false);
    wait(DAY_MS - 1);
    expect(await isPlausible()).toBe(false);
    // Another node believes an earlier time.
    await database.run(`UPDATE seeds SET value = '${CLOCK_START + 1}' WHERE name = 'cleanup'`);
    wait(1);
    expect(await isPlausible()).toBe(false);
    wait(DAY_MS);
    expect(await isPlausible()).toBe(true);
    wait(HOUR_MS);
    expect(await isPlausible()).toBe(true);
  });

  test('cleanup: believes no first clock that is far ahead of the last activity', async () => {
    const { database } = await open();
    await insertRows(database, 'a', CLOCK_START);
    await database.run(`UPDATE sessions SET used_at = ${CLOCK_START}`);
    const clock = fixedClock(CLOCK_START + 2 * DAY_MS);
    const { log } = recordingLog('warn');
    expect(await createClockGuard({ database, clock, log })()).toBe(false);
  });
});

test('cleanup: runs immediately and each hour, even after a failure, until it is stopped', async () => {
  const run = vi.fn(() => Promise.reject(new Error('the database is down')));
  const database = { run, all: async () => [], one: async () => null } as unknown as Database;
  const { log, lines } = recordingLog('warn');
  const clock = { now: () => CLOCK_START };
  await expectEachHour(run, () =>
    scheduleRowCleanup({ database, clock, log }, { contactKeepDays: null }),
  );
  expect(lines).toEqual(Array(3).fill(expect.stringContaining('expired rows were not deleted')));
});

test('cleanup: a stop while it runs is no warning', async () => {
  const { log, lines } = recordingLog('warn');
  const run = vi.fn(() => Promise.reject(new Error('The database is closed.')));
  runHourly(log, [{ failure: 'not deleted', run }])();
  await new Promise(setImmediate);
  expect([run.mock.calls.length, lines]).toEqual([1, []]);
});
