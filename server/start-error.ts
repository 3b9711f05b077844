/** An error that prevents the start; its message is a sentence for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
