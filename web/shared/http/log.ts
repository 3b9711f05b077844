/** For a failure that is not shown to the user (docs/product.md#messages). */
export function logFailure(message: string, cause: unknown): void {
  // eslint-disable-next-line no-console -- the only place that writes to the console
  console.error(message, cause);
}
