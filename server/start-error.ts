/** This error prevents the start. Its message is a sentence for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The service cannot continue after this error, so the process ends. */
export class FatalError extends Error {
  override readonly name = 'FatalError';
}

const DISK_PROBLEMS: Readonly<Record<string, string>> = {
  EROFS:
    'its disk is read-only: mount it for writing, after a check if the system itself has made it so',
  ENOSPC: 'its disk is full: see docs/operate/runbooks.md#the-disk-is-nearly-full',
};

/** Says why the data folder cannot be written. */
export function diskError(folder: string, error: unknown): StartError {
  const reason = reasonOf(error);
  const problem = DISK_PROBLEMS[reason] ?? 'check its owner and permissions';
  return new StartError(
    `DATA_DIR: the folder ${folder} cannot be written (${reason}): ${problem}.`,
  );
}

/** Returns the cause of an error in brackets, because the sentence for a visitor does not name it. */
export function causeNote(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
}

export function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Returns the reason of the cause, in which fetch and the image decoder put the system's error code. */
export const causeOf = (error: unknown): string =>
  reasonOf(error instanceof Error && error.cause ? error.cause : error);
