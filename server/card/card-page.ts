import { createElement } from 'react';

import { userIdSchema } from '#domain/identifier.ts';
import type { Profile } from '#domain/profile.ts';
import { cardPath } from '#domain/share.ts';
import { API_ERRORS } from '#contract/api-error.ts';
import { countVisitPath } from '#contract/analytics.ts';
import { addContact } from '#contract/contact.ts';
import { CardPage } from '#view/card-page.tsx';
import { BlockedPage, NotReadyPage, UnknownPage } from '#view/notice-page.tsx';
import type { AppContext } from '#server/context.ts';
import { inlineIconBaseUrl } from '#server/html/icon-base.ts';
import { hashSource, originsOf, renderPage } from '#server/html/render.ts';
import { CARD_STYLE, NOTICE_STYLE } from '#server/html/style.ts';
import { ApiError } from '#server/http/api-error.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { contentSecurityPolicy } from '#server/http/headers.ts';
import { originOf } from '#server/http/origin.ts';
import { sendFinished } from '#server/http/send.ts';
import { formatPhone } from '#server/profile/phone.ts';
import { findProfile } from '#server/profile/store.ts';
import type { Settings } from '#server/settings.ts';

import { previewPath } from './preview.ts';

const ROUTE = '/user/:userID';
const NOT_FOUND = 404;
const HTML = 'text/html; charset=utf-8';
/**
 * A browser revalidates at each visit (a 304 is cheap), so an owner sees a change at once. A shared
 * cache may serve a card for a minute.
 */
const SHARED_CACHE_CONTROL = 'public, max-age=0, must-revalidate, s-maxage=60';
/** Without PUBLIC_URL, links contain the request's Host, so shared caches must not store the page. */
const PRIVATE_CACHE_CONTROL = 'private, max-age=0, must-revalidate';

/** Registers the public card page. A cache miss needs one query. */
export function cardPageRoutes(context: AppContext): void {
  const { fastify, settings, dependencies, responses, readRateLimit } = context;
  const { cardScript, countingCardScript } = dependencies.web;
  const countsVisits = settings.views.has('analytics');
  const renderCard = cardRenderer(settings, {
    script: countsVisits ? countingCardScript : cardScript,
    countsVisits,
  });
  const unknown = absentPage(settings, NOT_FOUND, UnknownPage);
  const blocked = absentPage(settings, API_ERRORS.card_blocked, BlockedPage);

  fastify.get<{ Params: { userID: string } }>(ROUTE, async (request, reply) => {
    readRateLimit.countOrThrow(request);
    const userId = request.params.userID;
    if (!userIdSchema.safeParse(userId).success) return sendFinished(request, reply, unknown);
    const origin = originOf(request, settings.publicUrl);
    // With PUBLIC_URL the page is the same for every origin.
    const key = { userId, path: cardPath(userId), route: ROUTE };
    const page = await responses
      .getOrRender(settings.publicUrl === null ? { ...key, origin } : key, async () => {
        const profile = await findProfile(dependencies.database, userId);
        return profile && renderCard(profile, origin);
      })
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'card_blocked') return blocked;
        throw error;
      });
    return sendFinished(request, reply, page ?? unknown);
  });
}

/** Returns a function that renders a card page; without a phone, the fallback page. */
function cardRenderer(
  settings: Settings,
  { script, countsVisits }: { readonly script: string; readonly countsVisits: boolean },
) {
  const { productName, appUrl } = settings;
  const cardPolicy = contentSecurityPolicy({
    script: [hashSource(script)],
    style: [hashSource(CARD_STYLE)],
    connect: originsOf(settings.serverUrl),
    image: originsOf(settings.iconBaseUrl),
  });
  const serverUrl = settings.serverUrl.replace(/\/$/, '');
  const contactUrl = `${serverUrl}${addContact.path}`;

  return (profile: Profile, origin: string): FinishedResponse => {
    if (profile.phone.trim() === '') return notReadyPage(settings);
    const page = createElement(CardPage, {
      profile,
      phoneText: formatPhone(profile.phone),
      url: `${origin}${cardPath(profile._id)}`,
      previewImageUrl: `${origin}${previewPath(profile, productName)}`,
      productName,
      appUrl,
      iconBaseUrl: inlineIconBaseUrl(settings.iconBaseUrl),
      sendTo: contactUrl,
      countAt: countsVisits ? `${serverUrl}${countVisitPath(profile._id)}` : undefined,
      notice: settings.connectNotice,
      style: CARD_STYLE,
      script,
    });
    return new FinishedResponse({
      body: renderPage(page),
      headers: {
        ...cachedHeaders(settings),
        'content-type': HTML,
        'content-security-policy': cardPolicy,
        'x-robots-tag': undefined,
      },
    });
  };
}

function notReadyPage(settings: Settings): FinishedResponse {
  return new FinishedResponse({
    body: renderPage(createElement(NotReadyPage, noticeProperties(settings))),
    headers: { ...noticeHeaders(), ...cachedHeaders(settings) },
  });
}

/** Returns the page that replaces an unknown or a blocked card. It is not cached. */
function absentPage(settings: Settings, status: number, page: typeof UnknownPage) {
  return new FinishedResponse({
    status,
    body: renderPage(createElement(page, noticeProperties(settings))),
    headers: { ...noticeHeaders(), 'cache-control': 'no-store' },
  });
}

/** The headers of a page that caches may store. */
function cachedHeaders({ publicUrl }: Settings) {
  return { 'cache-control': publicUrl === null ? PRIVATE_CACHE_CONTROL : SHARED_CACHE_CONTROL };
}

function noticeProperties({ productName, appUrl }: Settings) {
  return { productName, appUrl, style: NOTICE_STYLE };
}

function noticeHeaders() {
  return {
    'content-type': HTML,
    'content-security-policy': contentSecurityPolicy({ style: [hashSource(NOTICE_STYLE)] }),
  };
}
