import { open } from 'node:fs/promises';

import type { Logger } from 'pino';

import { systemClock } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import { toStartError } from '#server/adapter/database/connect.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { databaseFile } from '#server/adapter/database/data-folder.ts';
import { SCHEMA_VERSION, readSchemaVersion } from '#server/adapter/database/migrate.ts';
import type { Cards } from '#server/adapter/profile/store.ts';
import type { PhotoStore } from '#server/adapter/storage/photo-store.ts';
import { withDatabase } from '#server/command/connect.ts';
import { openPhotoStore } from '#server/dependencies.ts';
import type { Settings } from '#server/settings/settings.ts';
import { reasonOf } from '#server/start-error.ts';

export interface AdminContext extends Cards {
  readonly photos: PhotoStore;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly log: Logger;
  readonly actor: string;
  readonly confirm: (question: string) => Promise<void>;
  /** Makes the command exit with 1 after it has printed its result. */
  readonly fail: () => void;
}

type Flag =
  | 'apply'
  | 'check'
  | 'contacts'
  | 'end'
  | 'json'
  | 'overwrite'
  | 'remove'
  | 'reserve'
  | 'yes';
type Text = 'email' | 'links' | 'name' | 'qr' | 'to';

export type Options = { readonly reason: string } & {
  readonly [Name in Flag | Text]?: Name extends Flag ? true : string;
};

export interface UserInput extends Options {
  readonly userId: string;
}

export interface PhoneInput extends Options {
  readonly phone: string;
}

/** An error whose message tells the operator what is wrong and what to do next. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
}

export const phoneTakenError = (phone: string) =>
  new AdminError(`${phone} already has an account. Choose another number.`);

export const phoneChangedError = () =>
  new AdminError('The login phone was changed at the same time. Run the command again.');

export function noUserError(userId: string): AdminError {
  return new AdminError(
    `There is no user ${userId}. Look for the user with: find <phone|link|name>`,
  );
}

/**
 * Runs a command on the database of the service. The service notices the commit by NOTIFY, or because its
 * writing thread looks for commits of other processes.
 */
export async function withAdminContext<Result>(
  { settings, ...options }: Pick<AdminContext, 'settings' | 'log' | 'actor' | 'confirm' | 'fail'>,
  work: (context: AdminContext) => Promise<Result>,
): Promise<Result> {
  if (settings.databaseUrl === null) await checkFile(databaseFile(settings.dataDir));
  return withDatabase(settings, options.log, async (database) => {
    await checkSchema(database);
    return work({
      ...options,
      settings,
      database,
      // This process serves no responses. The service drops its own when it notices the commit.
      responses: { drop: () => undefined },
      photos: openPhotoStore(settings),
      clock: systemClock,
    });
  });
}

async function checkSchema(database: Database): Promise<void> {
  const schema = await readSchemaVersion(database).catch((error: unknown) => {
    throw database.kind === 'postgres' ? toStartError(error) : error;
  });
  if (schema === SCHEMA_VERSION) return;
  throw new AdminError(
    'The database belongs to another version of Tessera. Start the service of this version first, because it migrates the database.',
  );
}

/** Rejects another user's database, because the service could not open the files that this process adds. */
async function checkFile(file: string): Promise<void> {
  const handle = await open(file).catch((error: unknown) => {
    const reason = reasonOf(error);
    if (reason === 'ENOENT')
      throw new AdminError(
        `There is no database: ${file}. Set DATA_DIR to the data folder of the service.`,
      );
    const advice = reason === 'EACCES' ? 'Run this as the user of the service.' : 'Check its disk.';
    throw new AdminError(`${file} cannot be opened (${reason}). ${advice}`);
  });
  const { uid } = await handle.stat().finally(() => handle.close());
  if (uid === process.getuid?.()) return;
  throw new AdminError(
    `${file} belongs to another user. Run this as the user of the service: sudo -u '#${uid}' …`,
  );
}
