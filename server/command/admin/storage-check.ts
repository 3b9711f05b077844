import { statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { Unavailable } from '#server/adapter/database/database.ts';
import { openPhotoStore } from '#server/dependencies.ts';
import type { Settings } from '#server/settings/settings.ts';
import { reasonOf } from '#server/start-error.ts';

import { failed, ok, warning } from './site-check.ts';
import type { Result } from './site-check.ts';

const FREE_SHARE_MIN = 0.1;
const FREE_SHARE_FAILED = 0.01;
const GIGABYTE = 1e9;
const PERCENT = 100;

export async function checkDisk(dataDir: string): Promise<Result> {
  try {
    const { bsize, blocks, bavail } = await statfs(dataDir);
    const share = bavail / blocks;
    const detail = `${((bavail * bsize) / GIGABYTE).toFixed(1)} GB are free in ${dataDir} (${Math.round(share * PERCENT)} %).`;
    if (share >= FREE_SHARE_MIN) return ok(detail);
    const advice = `${detail} See docs/operate/runbooks.md#the-disk-is-nearly-full.`;
    return share < FREE_SHARE_FAILED ? failed(advice) : warning(advice);
  } catch (error) {
    return failed(
      `The free space of ${dataDir} cannot be read (${reasonOf(error)}). Set DATA_DIR to the data folder of the service.`,
    );
  }
}

export async function checkPhotoStore(settings: Settings): Promise<Result> {
  try {
    await openPhotoStore(settings).check();
    return ok('The photo store answers.');
  } catch (error) {
    const advice =
      settings.photoBucket === null
        ? `Check the disk, the owner and the permissions of ${join(settings.dataDir, 'photos')}.`
        : 'Check the bucket and the settings that start with S3_.';
    return failed(`The photo store cannot be used (${messageOf(error)}). ${advice}`);
  }
}

/** Returns the message of the cause without a full stop, so that it fits into brackets. */
export function messageOf(error: unknown): string {
  const cause = error instanceof Unavailable ? error.cause : error;
  return (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '');
}
