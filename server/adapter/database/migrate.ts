import { setTimeout as delay } from 'node:timers/promises';

import { MINUTE_MS } from '#domain/duration.ts';
import { StartError } from '#server/start-error.ts';

import { Unavailable } from './database.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';
import { initial } from './migrations/001-initial.ts';
import { invalidation } from './migrations/002-invalidation-seeds.ts';
import { heldContacts } from './migrations/003-held-contacts.ts';
import { profileVersion } from './migrations/004-profile-version.ts';
import { removedUsers } from './migrations/005-removed-users.ts';
import { sessionDevice } from './migrations/006-session-device.ts';
import { administration } from './migrations/007-administration.ts';
import { push } from './migrations/008-push.ts';
import { visits } from './migrations/009-visits.ts';
import { contactsView } from './migrations/010-contacts-view.ts';
import { visitorDay } from './migrations/011-visitor-day.ts';
import { contactSearch } from './migrations/012-contact-search.ts';
import { heldSource } from './migrations/013-held-source.ts';
import { removedContacts } from './migrations/014-removed-contacts.ts';
import { photoPalette } from './migrations/015-photo-palette.ts';
import { editedContacts } from './migrations/016-edited-contacts.ts';
import { visitTimeZone } from './migrations/017-visit-time-zone.ts';
import { appearance } from './migrations/018-appearance.ts';
import { extras } from './migrations/019-extras.ts';
import { pushNotice } from './migrations/020-push-notice.ts';
import { scans } from './migrations/021-scans.ts';
import { names } from './migrations/022-names.ts';
import { cdnPurges } from './migrations/023-cdn-purges.ts';
import { faces } from './migrations/024-faces.ts';
import { cdnPurgesOfUser } from './migrations/025-cdn-purges-of-user.ts';
import { queueTarget } from './migrations/026-queue-target.ts';
import { codeLength } from './migrations/027-code-length.ts';
import { removedUsersTime } from './migrations/028-removed-users-time.ts';
import { addedContacts } from './migrations/029-added-contacts.ts';
import { cardAddresses } from './migrations/030-card-addresses.ts';
import { addingMigrations } from './migrations/031-adding-migrations.ts';
import { moreExtras } from './migrations/032-more-extras.ts';
import { invitations } from './migrations/033-invitations.ts';
import { followUp } from './migrations/034-follow-up.ts';
import { webhooks } from './migrations/035-webhooks.ts';
import { paletteRule } from './migrations/036-palette-rule.ts';
import { receipts } from './migrations/037-receipts.ts';
import { fillSearch } from './search.ts';

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly sqlite?: string;
  readonly postgres?: string;
  /**
   * It only adds an index, a table or an optional column, so the previous version can write. Since
   * number 31.
   */
  readonly onlyAdds?: true;
}

/** Append new ones. Never change or move a released one: its number is its position. */
const MIGRATIONS: readonly Migration[] = [
  initial,
  invalidation,
  heldContacts,
  profileVersion,
  removedUsers,
  sessionDevice,
  administration,
  push,
  visits,
  contactsView,
  visitorDay,
  contactSearch,
  heldSource,
  removedContacts,
  photoPalette,
  editedContacts,
  visitTimeZone,
  appearance,
  extras,
  pushNotice,
  scans,
  names,
  cdnPurges,
  faces,
  cdnPurgesOfUser,
  queueTarget,
  codeLength,
  removedUsersTime,
  addedContacts,
  cardAddresses,
  addingMigrations,
  moreExtras,
  invitations,
  followUp,
  webhooks,
  paletteRule,
  receipts,
];
export const SCHEMA_VERSION = MIGRATIONS.length;
const ADVISORY_LOCK = 7_355_608;

export const MIGRATION_TIMEOUT_MS = 10 * MINUTE_MS;
/** A statement that waits for a table lock blocks all later ones, which wait for 1 s (postgres.ts). */
const LOCK_TIMEOUT_MS = 300;
const RETRY_EVERY_MS = 500;
/** SQLSTATE lock_not_available (PostgreSQL, appendix A). */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs the missing migrations, up to number `schema`. With PostgreSQL each wait for a lock is short
 * and repeated, and each migration is a transaction: with the locks of two tables it could deadlock
 * with a node. Throws StartError.
 */
export async function migrate(database: Database, schema = SCHEMA_VERSION): Promise<void> {
  const end = performance.now() + MIGRATION_TIMEOUT_MS;
  for (;;) {
    try {
      let isComplete = false;
      while (!isComplete) {
        isComplete = await database.transaction((transaction) => runNext(transaction, schema));
      }
      // In batches of their own, so that running nodes can write meanwhile; a later start continues it.
      if (schema >= contactSearch.number) await fillSearch(database);
      return;
    } catch (error) {
      if (!isLocked(error) || performance.now() > end) throw error;
    }
    await delay(RETRY_EVERY_MS);
  }
}

async function runNext(transaction: Database, schema: number): Promise<boolean> {
  const isPostgres = transaction.kind === 'postgres';
  if (isPostgres) {
    await transaction.script(
      `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`,
    );
    await transaction.one(sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
  }
  await transaction.script(
    'CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)',
  );
  const newest = await readSchemaVersion(transaction);
  const missing = MIGRATIONS.slice(newest, schema);
  const next = isPostgres && newest > 0 ? missing.slice(0, 1) : missing;
  for (const migration of next) {
    await transaction.script(migration.sql);
    const own = migration[transaction.kind];
    if (own) await transaction.script(own);
    await transaction.run(sql`INSERT INTO migrations (number, name)
      VALUES (${migration.number}, ${migration.name})`);
    if (migration.onlyAdds)
      await transaction.run(
        sql`UPDATE migrations SET only_adds = 1 WHERE number = ${migration.number}`,
      );
  }
  return next.length === missing.length;
}

export async function readNewestMigration(database: Database): Promise<number> {
  const row = await database.one<{ number: number | null }>(
    'SELECT MAX(number) AS number FROM migrations',
  );
  return row?.number ?? 0;
}

/** The newest that this version knows. Throws StartError if a newer one does not only add. */
export async function readSchemaVersion(database: Database): Promise<number> {
  const number = await readNewestMigration(database);
  if (number <= SCHEMA_VERSION) return number;
  const other = await database.one(sql`SELECT number FROM migrations
    WHERE number > ${SCHEMA_VERSION} AND only_adds = 0 LIMIT 1`);
  if (other === null) return SCHEMA_VERSION;
  throw new StartError(
    `The database is from a newer version (schema ${number}, this version knows ${SCHEMA_VERSION}). Use the version that created it.`,
  );
}

function isLocked(error: unknown): boolean {
  if (!(error instanceof Unavailable) || !(error.cause instanceof Error)) return false;
  return 'code' in error.cause && error.cause.code === LOCK_NOT_AVAILABLE;
}
