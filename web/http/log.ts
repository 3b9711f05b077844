/** Logs a failure that the user does not see to the console (docs/product.md#messages). */
export function logFailure(what: string, cause: unknown): void {
  // eslint-disable-next-line no-console -- the only place that writes to the console
  console.error(what, cause);
}
