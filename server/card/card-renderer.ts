import type { FastifyReply } from 'fastify';
import { createElement } from 'react';

import type { Profile } from '#domain/profile.ts';
import { cardPath } from '#domain/share.ts';
import { addContact } from '#contract/contact.ts';
import { CardPage } from '#view/card-page.tsx';
import { NotReadyPage, UnknownPage } from '#view/notice-page.tsx';
import { setPagePolicy } from '#server/http/headers.ts';
import type { Settings } from '#server/settings.ts';

import { renderPage, hashSource, originsOf } from '#server/html/render.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { inlineIconBaseUrl } from '#server/html/icon-base.ts';
import { previewPath } from './preview-path.ts';
import { CARD_STYLE, NOTICE_STYLE } from '#server/html/style.ts';

const HTML = 'text/html; charset=utf-8';
/**
 * A browser always asks again (a 304 is cheap), so that owners see their own change at once; a
 * shared cache may keep a card for a minute.
 */
const CACHING = 'public, max-age=0, must-revalidate, s-maxage=60';

/** Draws the card's pages as they are sent: HTML and every header. */
export function cardPainter(settings: Settings, script: string) {
  const { productName, appUrl } = settings;
  const cardSources = {
    script: [hashSource(script)],
    style: [hashSource(CARD_STYLE)],
    connect: originsOf(settings.serverUrl),
    image: originsOf(settings.iconBaseUrl),
  };
  const noticeSources = { style: [hashSource(NOTICE_STYLE)] };
  const notice = { productName, appUrl, style: NOTICE_STYLE };
  const unknownPage = renderPage(createElement(UnknownPage, notice));
  const sendTo = `${settings.serverUrl.replace(/\/$/, '')}${addContact.path}`;

  /** A card, or the fallback while it has no phone. Takes on the headers that the reply has. */
  function card(profile: Profile, origin: string, reply: FastifyReply): FinishedResponse {
    const isReady = profile.phone.trim() !== '';
    setPagePolicy(reply, isReady ? cardSources : noticeSources);
    if (isReady) void reply.removeHeader('x-robots-tag');
    else void reply.header('x-robots-tag', 'noindex');
    const page = isReady
      ? createElement(CardPage, {
          profile,
          address: `${origin}${cardPath(profile._id)}`,
          previewImage: `${origin}${previewPath(profile)}`,
          productName,
          appUrl,
          iconBaseUrl: inlineIconBaseUrl(settings.iconBaseUrl),
          sendTo,
          style: CARD_STYLE,
          script,
        })
      : createElement(NotReadyPage, notice);
    void reply.headers({ 'content-type': HTML, 'cache-control': CACHING });
    return new FinishedResponse(
      renderPage(page),
      Object.fromEntries(Object.entries(reply.getHeaders())),
    );
  }

  /** Answers that there is no such user. */
  function unknown(reply: FastifyReply): FastifyReply {
    setPagePolicy(reply, noticeSources);
    return reply
      .code(404)
      .headers({ 'content-type': HTML, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      .send(unknownPage);
  }

  return { card, unknown };
}
