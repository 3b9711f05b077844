import { DatabaseError } from 'pg';

import { ReferenceRemoved, Unavailable, UniqueViolation } from './database.ts';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
// SQLSTATEs that are no error of the statement itself (PostgreSQL, appendix A): connection, rollback,
// resources, operator (and the statement timeout), system; the lock timeout; read-only in a failover.
const UNAVAILABLE = /^(08|40|53|57|58|55P03|25006)/;
/** The server closes the connection after these. */
const CONNECTION_LOST = /^(08|57P0[123])/;

export function findConnectionError(error: unknown): DatabaseError | null {
  const cause = error instanceof Unavailable ? error.cause : error;
  return cause instanceof DatabaseError && CONNECTION_LOST.test(cause.code ?? '') ? cause : null;
}

export function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Unavailable) return error;
  // Every error that the server did not send is a connection error.
  if (error instanceof DatabaseError) {
    if (error.code === UNIQUE_VIOLATION)
      return new UniqueViolation(error.message, { cause: error });
    if (error.code === FOREIGN_KEY_VIOLATION)
      return new ReferenceRemoved(error.message, { cause: error });
    if (error.code !== undefined && !UNAVAILABLE.test(error.code)) return error;
  }
  return new Unavailable(error);
}
