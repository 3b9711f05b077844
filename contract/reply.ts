import * as z from 'zod/mini';

/**
 * During a rolling restart a page and a server can be one version apart, so a missing text is ''.
 */
export const replyText = z._default(z.string(), '');
