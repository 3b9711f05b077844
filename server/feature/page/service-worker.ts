import { createHash } from 'node:crypto';

import { WORKER_PATH } from '#domain/offline.ts';
import type { AppContext } from '#server/context.ts';
import { MARK_PATH, markSvg } from '#server/adapter/html/mark.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { sendFinished } from '#server/http/send.ts';

export interface OfflineDocument {
  readonly path: string;
  readonly body: string;
  readonly files: readonly string[];
}

/** Files of this origin only, and the icon of notifications. */
const WORKER_POLICY =
  "default-src 'none'; connect-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Changes with each document, its settings and its files (docs/product.md#offline). */
export function serviceWorkerRoute(
  { fastify, dependencies }: AppContext,
  documents: readonly OfflineDocument[],
): void {
  const files = new Set(documents.flatMap((document) => document.files));
  const entries = [
    ...documents.map(({ path, body }) => documentEntry(path, body)),
    documentEntry(MARK_PATH, markSvg()),
    // The name of a file contains a hash of its content.
    ...[...files].map((url) => ({ url, revision: null })),
  ];
  const script = new FinishedResponse({
    body: `self.files=${JSON.stringify(entries)};\n${dependencies.web.workerScript}`,
    isFixed: true,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': WORKER_POLICY,
    },
  });
  fastify.get(WORKER_PATH, (request, reply) => sendFinished(request, reply, script));
}

/** The hash keeps the document of one version from being stored with the files of another. */
function documentEntry(url: string, body: string) {
  const hash = createHash('sha256').update(body).digest('base64');
  return { url, revision: hash, integrity: `sha256-${hash}` };
}
