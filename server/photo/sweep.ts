import type { Parts } from '#server/parts.ts';

import { fileNamesAt, readName } from './name.ts';
import { findPhoto } from './store.ts';

/** Younger files may belong to an upload whose row is about to change. */
export const ORPHAN_AGE_MS_MIN = 60 * 60 * 1000;
const SWEEP_EVERY_MS = 60 * 60 * 1000;

type SweepParts = Pick<Parts, 'database' | 'photos' | 'clock' | 'log'>;

/**
 * Removes the files that no card uses: what a cut upload or a removal that failed has left behind.
 * Gives back how many. Each owner's row is read right before that owner's files go.
 */
export async function sweepPhotos({ database, photos, clock }: SweepParts): Promise<number> {
  let count = 0;
  for (const [owner, names] of await oldFilesByOwner({ photos, clock })) {
    const current = owner === NOBODY ? null : await findPhoto(database, owner);
    const inUse = fileNamesAt(current ?? '');
    const orphans = names.filter((name) => !inUse.includes(name));
    if (orphans.length > 0) await photos.remove(orphans);
    count += orphans.length;
  }
  return count;
}

const NOBODY = '';

async function oldFilesByOwner({ photos, clock }: Pick<SweepParts, 'photos' | 'clock'>) {
  const byOwner = new Map<string, string[]>();
  for (const { name, keptAt } of await photos.list()) {
    if (clock.now() - keptAt <= ORPHAN_AGE_MS_MIN) continue;
    const owner = readName(name)?.userId ?? NOBODY;
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), name]);
  }
  return byOwner;
}

/** Sweeps now and every hour until the function that it gives back is called. */
export function keepSweeping(parts: SweepParts): () => void {
  const sweep = () => {
    sweepPhotos(parts).catch((error: unknown) =>
      parts.log.warn(
        { err: error },
        'Orphaned photos could not be swept; the next hour tries again.',
      ),
    );
  };
  sweep();
  const timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
  return () => clearInterval(timer);
}
