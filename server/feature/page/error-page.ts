import { createElement } from 'react';

import { ErrorPage } from '#view/notice-page.tsx';
import type { ErrorSentence } from '#view/notice-page.tsx';
import { pageHeaders, renderPage } from '#server/adapter/html/render.ts';
import { noticeStyle } from '#server/adapter/html/style.ts';
import type { SendErrorPage } from '#server/http/error-handler.ts';
import { pageLanguage } from '#server/http/language.ts';
import type { Settings } from '#server/settings/settings.ts';

const SENTENCES: Readonly<Record<number, ErrorSentence>> = {
  400: 'badAddress',
  403: 'signInAgain',
  404: 'nothingHere',
  410: 'blockedSentence',
  429: 'tooMuch',
  503: 'notNow',
};

export function createErrorPageSender(settings: Settings): SendErrorPage {
  return (status, reply) => {
    const { query, headers } = reply.request;
    const language = pageLanguage(settings.languages, query, headers['accept-language']);
    const style = noticeStyle(language);
    const page = createElement(ErrorPage, {
      language,
      productName: settings.productName,
      sentence: SENTENCES[status] ?? 'ourFault',
      style,
    });
    return reply
      .code(status)
      .headers({ 'x-robots-tag': 'noindex', ...pageHeaders({ style, language }) })
      .send(renderPage(page));
  };
}
