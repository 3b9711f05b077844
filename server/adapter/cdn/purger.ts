import type { Logger } from 'pino';

import { SECOND_MS } from '#domain/duration.ts';
import { photoFilePath } from '#domain/photo.ts';
import type { HttpClient } from '#server/adapter/client/http-client.ts';
import { postSigned } from '#server/adapter/client/signed-webhook.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { QueueLoop } from '#server/adapter/database/queue-loop.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Settings } from '#server/settings/settings.ts';
import { logoFileNames, photoFileNames } from '#server/adapter/storage/photo-store.ts';

import { claimPurges, delayPurge, deletePurge } from './queue.ts';
import type { Purge } from './queue.ts';

/** For a purge of another process, and for retries. */
const POLL_MS = SECOND_MS;
/** Another node may answer from its memory for up to 2 s after a change. */
const AGAIN_MS = 3 * SECOND_MS;
const RETRY_MS = SECOND_MS;
const CLAIMED_AT_ONCE = 16;

interface Options {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly httpClient: HttpClient;
  readonly settings: Pick<Settings, 'cdnPurgeUrl' | 'cdnPurgeSecret'>;
  /** Returns the paths of a card's finished responses. */
  readonly pathsOf: (userId: string) => readonly string[];
}

/** Tells a CDN which paths of a changed card to drop (docs/proxy.md#a-cdn-in-front). */
export class CdnPurger {
  readonly #options: Options;
  readonly #loop = new QueueLoop({ everyMs: POLL_MS, run: () => this.#send() });
  #hasFailed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  start(): void {
    this.#loop.start();
  }

  /** Sends what is due, after the commit of a change. */
  wake(): void {
    this.#loop.wake();
  }

  /** Waits for open requests. What remains is sent after the next start, or by another node. */
  close(): Promise<void> {
    return this.#loop.close();
  }

  async #send(): Promise<void> {
    const { database, clock, log } = this.#options;
    try {
      const purges = await claimPurges(database, clock.now(), CLAIMED_AT_ONCE);
      const results = await Promise.all(purges.map((purge) => this.#sendOne(purge)));
      this.#hasFailed = results.includes(false);
      // A receiver that does not answer is not asked for the others at once.
      if (purges.length > 0 && !this.#hasFailed) this.wake();
    } catch (error) {
      if (!this.#hasFailed) log.warn({ err: error }, 'purges of the CDN were not read');
      this.#hasFailed = true;
    }
  }

  /** Returns whether it was received. */
  async #sendOne(purge: Purge): Promise<boolean> {
    const { database, clock, log, settings } = this.#options;
    const body = JSON.stringify({ paths: await this.#pathsOf(purge) });
    const { cdnPurgeUrl: url, cdnPurgeSecret: secret } = settings;
    let reason: unknown;
    try {
      const { status } = await postSigned(this.#options, { url, secret, body });
      if (status >= 200 && status <= 299) {
        if (purge.sent > 0) await deletePurge(database, purge);
        else await delayPurge(database, purge, { nextAt: clock.now() + AGAIN_MS, isSent: true });
        return true;
      }
      reason = `status ${status}`;
    } catch (error) {
      reason = error instanceof Error ? error.message : error;
    }
    if (!this.#hasFailed) log.warn({ reason }, 'the CDN was not purged; it is tried again');
    await delayPurge(database, purge, { nextAt: clock.now() + RETRY_MS });
    return false;
  }

  /** With the files that the card has now, and those that it had before. */
  async #pathsOf({ userId, photo, logo }: Purge): Promise<string[]> {
    const now = await this.#options.database.one<Pick<Purge, 'photo' | 'logo'>>(
      sql`SELECT profile_photo AS photo, COALESCE(logo, '') AS logo
        FROM users LEFT JOIN appearances ON user_id = id WHERE id = ${userId}`,
    );
    const photos = [photo, now?.photo ?? ''].flatMap(photoFileNames);
    const logos = [logo, now?.logo ?? ''].flatMap(logoFileNames);
    const files = [...photos, ...logos].map(photoFilePath);
    return [...new Set([...this.#options.pathsOf(userId), ...files])];
  }
}
