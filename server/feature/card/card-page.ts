import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

import { cardAddressPath, cardAddressProblem, cleanCardAddress } from '#domain/card-address.ts';
import { shownExtras } from '#domain/extras.ts';
import { cardPath, isScanToken } from '#domain/share.ts';
import { visibleTranslations } from '#domain/translation.ts';
import { API_ERRORS } from '#contract/api-error.ts';
import { accentStyle } from '#view/accent.ts';
import { CardPage, cardHead, localizeProfile } from '#view/card-page.tsx';
import { BlockedPage, NotReadyPage, UnknownPage } from '#view/notice-page.tsx';
import { formatPhone } from '#view/phone-format.ts';
import { publicRoute } from '#server/http/cache/public-route.ts';
import { cacheControl } from '#server/http/headers.ts';
import type { CardKey, PublicRequest } from '#server/http/cache/public-route.ts';
import { isFromPerson } from '#server/http/person.ts';
import type { AppContext } from '#server/context.ts';
import { createConnectRenderer, createConnectNotice } from '#server/adapter/html/connect-notice.ts';
import { inlineIconBaseUrl, pageHeaders, renderPage } from '#server/adapter/html/render.ts';
import { noticeStyle } from '#server/adapter/html/style.ts';
import { ApiError } from '#server/error.ts';
import { padFirstPart } from '#server/http/representation.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { memoizeByLanguage } from '#server/http/language.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { findByAddress } from '#server/adapter/profile/card-address.ts';
import { findCard } from '#server/adapter/profile/card.ts';
import type { Card } from '#server/adapter/profile/card.ts';
import type { Settings } from '#server/settings/settings.ts';

import { createFrames, createPageKeeper, previewPath } from './card-frame.ts';

const OK = 200;
const MOVED_PERMANENTLY = 301;
const FOUND = 302;
const NOT_FOUND = 404;
/** A browser revalidates at each visit (a 304 is cheap), so an owner sees a change immediately. */
const CACHE_CONTROL = 'max-age=0, must-revalidate';
const SHARED_SECONDS = 60;

export function cardPageRoutes(context: AppContext): void {
  const { settings, dependencies, responses } = context;
  const renderCard = createCardRenderer(context);
  const blocked = noticePages(settings, BlockedPage, API_ERRORS.card_blocked);
  const unknown = noticePages(settings, UnknownPage, NOT_FOUND);

  async function render(key: CardKey): Promise<StoredResponse | null> {
    const card = await findCard(dependencies.database, key.userId, context.brand);
    return card && renderCard(card, key);
  }

  const page = {
    containsOrigin: true,
    isTranslated: true,
    respond: async (key: CardKey) => {
      try {
        return await responses.getOrRender(key, () => render(key));
      } catch (error) {
        if (error instanceof ApiError && error.code === 'card_blocked') {
          return blocked(key.pageLanguage);
        }
        throw error;
      }
    },
    unknown,
    // If a CDN stored the reply, the server would miss later scans of the code.
    isPrivate: (userId: string, request: PublicRequest) => {
      const token = request.query['s'];
      if (!isScanToken(token)) return false;
      if (request.method === 'GET' && isFromPerson(request))
        context.live.announceOpened(userId, token);
      return true;
    },
  };
  publicRoute(context, { ...page, url: cardPath(':userID'), pathOf: cardPath });
  publicRoute(context, {
    ...page,
    url: ADDRESS_ROUTE,
    pathOf: (_userId, { params }) => `/${params['address'] ?? ''}`,
    userIdOf: ({ params, url }) =>
      resolveCardAddress(dependencies.database, params['address'] ?? '', url),
  });
}

const ADDRESS_ROUTE = '/:address(^@.+$)';
/**
 * The redirect of a former name is cached for a minute only. If the owner takes the name back, a browser
 * that still has the redirect would run into a loop.
 */
const FORMER_CACHE_CONTROL = 'public, max-age=60';

async function resolveCardAddress(database: Database, address: string, url: string) {
  const name = cleanCardAddress(address);
  if (cardAddressProblem(name) !== '') return undefined;
  const [path = '', query] = url.split('?');
  const redirect = (target: string, status: number, control: string) =>
    new StoredResponse({
      status,
      body: '',
      headers: {
        location: query === undefined ? target : `${target}?${query}`,
        'cache-control': control,
      },
    });
  if (path !== cardAddressPath(name))
    return redirect(cardAddressPath(name), MOVED_PERMANENTLY, 'public, max-age=86400');
  const found = await findByAddress(database, name);
  return found?.state === 'former'
    ? redirect(cardPath(found.userId), FOUND, FORMER_CACHE_CONTROL)
    : found?.userId;
}

/** Returns a function that renders a card page, or the page for a card that has no phone yet. */
function createCardRenderer(context: AppContext) {
  const { settings, dependencies } = context;
  const { readPhone, web } = dependencies;
  const { productName, appUrl } = settings;
  const isTextWhole = settings.cardText === 'whole';
  const renderConnect = createConnectRenderer(settings);
  const noticeIn = memoizeByLanguage(({ language }) => createConnectNotice(settings, language));
  const notReady = noticePages(settings, NotReadyPage, OK);
  const frameOf = createFrames(settings, web);
  const readOrRender = createPageKeeper(context);
  const phoneOf = (phone: string) => ({ text: formatPhone(phone), href: readPhone(phone).call });
  const phoneTexts = (first: string, second: string | null) => {
    const { text, href } = phoneOf(first);
    return { phoneText: text, phoneHref: href, secondPhone: second ? phoneOf(second) : undefined };
  };

  return async (stored: Card, key: CardKey): Promise<StoredResponse> => {
    const { origin, pageLanguage: language } = key;
    const translations = visibleTranslations(stored.translations, language.offered);
    const { profile, palette, logo } = stored;
    if (profile.phone === '') return notReady(language);
    const localized = localizeProfile({ profile, translations, language });
    const extras = shownExtras(stored.extras, settings.cardExtras);
    const frame = frameOf({ ...stored, profile: localized, extras }, language);
    const accent = accentStyle(palette);
    const headers = {
      'cache-control': cacheControl(key, CACHE_CONTROL, SHARED_SECONDS),
      'x-robots-tag': undefined,
      ...frame.headersOf(accent),
    };
    const render = () => {
      const page = {
        language,
        profile,
        localized,
        palette,
        logo,
        extras,
        translations,
        isTextWhole,
        ...phoneTexts(profile.phone, extras.phone),
        url: `${origin}${cardPath(profile._id)}`,
        previewImageUrl: `${origin}${previewPath({ ...stored, translations }, settings, language.language)}`,
        productName,
        appUrl,
        iconBaseUrl: inlineIconBaseUrl(settings.iconBaseUrl),
        notice: noticeIn(language),
        payScriptPath: web.scripts.pay,
      };
      const card = renderToStaticMarkup(createElement(CardPage, page));
      return [
        padFirstPart(frame.start + cardHead(page, accent)),
        renderConnect(language, localized) + card + frame.end,
      ] as const;
    };
    return readOrRender(stored, key, { headers, partAt: frame.partAt, render });
  };
}

function noticePages({ productName, appUrl }: Settings, page: typeof UnknownPage, status: number) {
  return memoizeByLanguage((language) => {
    const style = noticeStyle(language);
    return new StoredResponse({
      status,
      body: renderPage(createElement(page, { language, productName, appUrl, style })),
      isFixed: true,
      headers: { 'cache-control': 'no-store', ...pageHeaders({ style, language }) },
    });
  });
}
