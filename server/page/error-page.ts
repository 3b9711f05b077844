import { createElement } from 'react';

import { CARD_BLOCKED } from '#domain/blocked-card.ts';
import { ErrorPage } from '#view/notice-page.tsx';
import { hashSource, renderPage } from '#server/html/render.ts';
import { NOTICE_STYLE } from '#server/html/style.ts';
import type { SendErrorPage } from '#server/http/error-handler.ts';
import { contentSecurityPolicy } from '#server/http/headers.ts';
import type { Settings } from '#server/settings/settings.ts';

const SENTENCES: Readonly<Record<number, string>> = {
  400: 'This address could not be read.',
  404: 'There is nothing at this address.',
  410: `${CARD_BLOCKED}.`,
  429: 'That was a lot at once. Wait a minute, then try again.',
  503: 'We cannot answer right now. Try again in a moment.',
};
const DEFAULT_SENTENCE = 'Something went wrong on our side. Try again in a moment.';

/** docs/product.md#error-screen. */
export function createErrorPageSender(settings: Settings): SendErrorPage {
  const policy = contentSecurityPolicy({ style: [hashSource(NOTICE_STYLE)] });
  return (status, reply) => {
    const page = createElement(ErrorPage, {
      productName: settings.productName,
      sentence: SENTENCES[status] ?? DEFAULT_SENTENCE,
      style: NOTICE_STYLE,
    });
    return reply
      .code(status)
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('x-robots-tag', 'noindex')
      .send(renderPage(page));
  };
}
