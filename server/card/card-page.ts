import { createElement } from 'react';

import { hasExtras, shownExtras } from '#domain/extras.ts';
import { cardPath } from '#domain/share.ts';
import { API_ERRORS } from '#contract/api-error.ts';
import { countVisitPath } from '#contract/analytics.ts';
import { addContact } from '#contract/contact.ts';
import { CardPage } from '#view/card-page.tsx';
import { BlockedPage, NotReadyPage, UnknownPage } from '#view/notice-page.tsx';
import { formatPhone, phoneHref } from '#view/phone-format.ts';
import { publicRoute } from '#server/cache/public-route.ts';
import type { CardKey } from '#server/cache/public-route.ts';
import type { AppContext } from '#server/context.ts';
import { inlineIconBaseUrl } from '#server/html/icon-base.ts';
import { hashSource, originsOf, renderPage } from '#server/html/render.ts';
import { NOTICE_STYLE, PRINT_STYLE_PATH, cardStyle, shortenPage } from '#server/html/style.ts';
import { ApiError } from '#server/error.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { contentSecurityPolicy } from '#server/http/headers.ts';
import { findCard } from '#server/profile/card.ts';
import type { Card } from '#server/profile/card.ts';
import type { Settings } from '#server/settings/settings.ts';

import { previewPath } from './preview.ts';

const OK = 200;
const NOT_FOUND = 404;
const HTML = 'text/html; charset=utf-8';
/**
 * A browser revalidates at each visit (a 304 is cheap), so an owner sees a change immediately. A shared
 * cache may serve a card for a minute.
 */
const SHARED_CACHE_CONTROL = 'public, max-age=0, must-revalidate, s-maxage=60';
/** Without PUBLIC_URL, links contain the request's Host, so shared caches must not store the page. */
const PRIVATE_CACHE_CONTROL = 'private, max-age=0, must-revalidate';

/** Registers the public card page. A cache miss needs one query. */
export function cardPageRoutes(context: AppContext): void {
  const { settings, dependencies, responses } = context;
  const { cardScript, countingCardScript, assets } = dependencies.web;
  const countsVisits = settings.views.has('analytics');
  const renderCard = createCardRenderer(settings, {
    script: countsVisits ? countingCardScript : cardScript,
    payScriptPath: payScriptPath([...assets.keys()]),
    countsVisits,
  });
  const blocked = noticePage(settings, BlockedPage, {
    status: API_ERRORS.card_blocked,
    cacheControl: 'no-store',
  });

  const unknown = noticePage(settings, UnknownPage, {
    status: NOT_FOUND,
    cacheControl: 'no-store',
  });

  async function render({ userId, origin }: CardKey): Promise<FinishedResponse | null> {
    const card = await findCard(dependencies.database, userId);
    return card && renderCard(card, origin);
  }

  publicRoute(context, {
    url: cardPath(':userID'),
    pathOf: cardPath,
    containsOrigin: true,
    respond: async (key) => {
      try {
        return await responses.getOrRender(key, () => render(key));
      } catch (error) {
        if (error instanceof ApiError && error.code === 'card_blocked') return blocked;
        throw error;
      }
    },
    unknown: () => unknown,
  });
}

/** Of the sheet 'Pay by UPI' (scripts/build.mjs). */
function payScriptPath(names: readonly string[]): string {
  return `/assets/${names.find((name) => /^pay-[^.]*\.js$/.test(name)) ?? 'pay.js'}`;
}

interface RendererOptions {
  readonly script: string;
  readonly payScriptPath: string;
  readonly countsVisits: boolean;
}

/** Returns a function that renders a card page; without a phone, the fallback page. */
function createCardRenderer(
  settings: Settings,
  { script, payScriptPath: payPath, countsVisits }: RendererOptions,
) {
  const { productName, appUrl } = settings;
  const sources = {
    script: [hashSource(script)],
    connect: originsOf(settings.serverUrl),
    image: originsOf(settings.iconBaseUrl),
  };
  const { serverUrl } = settings;
  const contactUrl = `${serverUrl}${addContact.path}`;
  const cacheControl = settings.publicUrl === null ? PRIVATE_CACHE_CONTROL : SHARED_CACHE_CONTROL;

  return (card: Card, origin: string): FinishedResponse => {
    const { profile, palette, logo } = card;
    if (profile.phone === '') {
      return noticePage(settings, NotReadyPage, { status: OK, cacheControl });
    }
    const extras = shownExtras(card.extras, settings.cardExtras);
    const style = cardStyle(palette, hasExtras(extras));
    const page = createElement(CardPage, {
      profile,
      palette,
      logo,
      extras,
      phoneText: formatPhone(profile.phone),
      phoneHref: phoneHref(profile.phone),
      url: `${origin}${cardPath(profile._id)}`,
      previewImageUrl: `${origin}${previewPath(card, productName)}`,
      productName,
      appUrl,
      iconBaseUrl: inlineIconBaseUrl(settings.iconBaseUrl),
      sendTo: contactUrl,
      countAt: countsVisits ? `${serverUrl}${countVisitPath(profile._id)}` : undefined,
      notice: settings.connectNotice,
      style,
      printStylePath: PRINT_STYLE_PATH,
      script,
      payScriptPath: payPath,
    });
    return new FinishedResponse({
      body: shortenPage(renderPage(page)),
      headers: {
        'cache-control': cacheControl,
        'content-type': HTML,
        'content-security-policy': contentSecurityPolicy({
          ...sources,
          style: [hashSource(style)],
        }),
        'x-robots-tag': undefined,
      },
    });
  };
}

/** Returns a page that replaces a card. */
function noticePage(
  { productName, appUrl }: Settings,
  page: typeof UnknownPage,
  { status, cacheControl }: { readonly status: number; readonly cacheControl: string },
): FinishedResponse {
  return new FinishedResponse({
    status,
    body: renderPage(createElement(page, { productName, appUrl, style: NOTICE_STYLE })),
    headers: {
      'content-type': HTML,
      'content-security-policy': contentSecurityPolicy({ style: [hashSource(NOTICE_STYLE)] }),
      'cache-control': cacheControl,
    },
  });
}
