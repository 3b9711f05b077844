import { createElement } from 'react';

import { ErrorPage } from '#view/notice-page.tsx';
import { setPagePolicy } from '#server/http/headers.ts';
import type { ErrorPage as DrawErrorPage } from '#server/http/error-handler.ts';
import type { Settings } from '#server/settings.ts';

import { renderPage, hashSource } from '#server/html/render.ts';
import { NOTICE_STYLE } from '#server/html/style.ts';

const SENTENCES: Readonly<Record<number, string>> = {
  400: 'This address could not be read.',
  404: 'There is nothing at this address.',
  429: 'That was a lot at once. Wait a minute, then try again.',
  503: 'We cannot answer right now. Try again in a moment.',
};
const ANY_OTHER = 'Something went wrong on our side. Try again in a moment.';

/** Answers a browser with the error screen, whatever went wrong outside of the calls. */
export function errorPageRenderer(settings: Settings): DrawErrorPage {
  const style = hashSource(NOTICE_STYLE);
  return (status, reply) => {
    setPagePolicy(reply, { style: [style] });
    const page = createElement(ErrorPage, {
      productName: settings.productName,
      sentence: SENTENCES[status] ?? ANY_OTHER,
      style: NOTICE_STYLE,
    });
    return reply
      .code(status)
      .header('content-type', 'text/html; charset=utf-8')
      .header('x-robots-tag', 'noindex')
      .send(renderPage(page));
  };
}
