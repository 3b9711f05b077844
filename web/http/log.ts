/** For whoever looks into the console: what the specification says the user does not see. */
export function logFailure(what: string, cause: unknown): void {
  // eslint-disable-next-line no-console -- this function is the one that may
  console.error(what, cause);
}
