/** This error prevents the start. Its message is a sentence for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The service cannot continue after this error, so the process ends. */
export class FatalError extends Error {
  override readonly name = 'FatalError';
}

export function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
