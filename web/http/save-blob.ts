import { MINUTE_MS } from '#domain/duration.ts';

/** Some browsers read the blob only some time after the click. */
const REVOKE_AFTER_MS = MINUTE_MS;

export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}
