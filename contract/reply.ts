import * as z from 'zod/mini';

/**
 * A text in a reply. Replies are read tolerantly, because during a rolling restart a page and a
 * server can be one version apart: a missing text is '', and objects drop unknown keys.
 */
export const replyText = z._default(z.string(), '');
