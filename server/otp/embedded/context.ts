import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';

/** What the embedded provider needs of the application. */
export interface EmbeddedContext {
  readonly settings: {
    readonly supportEmail: string;
    /** The codes that the service sends per day at most. */
    readonly otpSendsPerDay: number;
    /** Phones whose code is fixed until a time (ms since 1970). */
    readonly otpTestNumbers: {
      readonly codes: ReadonlyMap<string, string>;
      readonly until: number;
    };
  };
  readonly dependencies: {
    readonly database: Database;
    readonly clock: Clock;
    readonly secret: string;
    readonly sendText: (phone: string, code: string) => Promise<void>;
  };
}
