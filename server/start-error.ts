/** An error that prevents the start; its message is a sentence for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** A code such as EACCES, or else the text of the error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
