import { apiErrorSchema } from '#contract/api-error.ts';
import type { ApiErrorBody } from '#contract/api-error.ts';
import { downloadAccount } from '#contract/account.ts';
import { MINUTE_MS } from '#domain/duration.ts';
import { callUrl } from '#web/http/call.ts';
import { logFailure } from '#web/http/log.ts';
import { createProgressTimeout } from '#web/http/request.ts';
import { storedId, storedToken } from '#web/http/session.ts';

const FILE_NAME = 'account-data.zip';
const REVOKE_AFTER_MS = MINUTE_MS;

type Result = { readonly isSaved: boolean; readonly error: ApiErrorBody | null };

const archiveUrl = () => callUrl(downloadAccount, { params: { id: storedId() ?? '' } });

/**
 * Downloads the archive with the session token in a header, so that no URL contains it, and saves it
 * as a file. Never throws; ends after 15 s without progress.
 */
export async function saveArchive(): Promise<Result> {
  const abort = new AbortController();
  const timeout = createProgressTimeout(() => abort.abort());
  try {
    const response = await fetch(archiveUrl(), {
      headers: { authorization: storedToken() ?? '' },
      cache: 'no-store',
      signal: abort.signal,
    });
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const reader = response.body?.getReader();
    for (;;) {
      timeout.restart();
      const part = await reader?.read();
      if (part?.value) chunks.push(part.value);
      if (part?.done !== false) break;
    }
    const blob = new Blob(chunks, { type: 'application/zip' });
    if (!response.ok) {
      const json: unknown = JSON.parse(await blob.text());
      return { isSaved: false, error: apiErrorSchema.safeParse(json).data ?? null };
    }
    save(blob);
    return { isSaved: true, error: null };
  } catch (cause) {
    logFailure('The download failed', cause);
    return { isSaved: false, error: null };
  } finally {
    timeout.clear();
  }
}

function save(blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = FILE_NAME;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}
