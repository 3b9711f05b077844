import { createElement } from 'react';

import { cardAddressPath, cardAddressProblem, cleanCardAddress } from '#domain/card-address.ts';
import { hasExtras, shownExtras } from '#domain/extras.ts';
import { inLanguage } from '#domain/language/language.ts';
import { cardPath, isScanToken } from '#domain/share.ts';
import { shownTranslations } from '#domain/translation.ts';
import { API_ERRORS } from '#contract/api-error.ts';
import { countVisitPath } from '#contract/analytics.ts';
import { addContact } from '#contract/contact.ts';
import { CardPage } from '#view/card-page.tsx';
import { BlockedPage, NotReadyPage, UnknownPage } from '#view/notice-page.tsx';
import { formatPhone, phoneHref } from '#view/phone-format.ts';
import { cacheControl, publicRoute } from '#server/http/cache/public-route.ts';
import type { CardKey, PublicRequest } from '#server/http/cache/public-route.ts';
import { isFromPerson } from '#server/http/person.ts';
import type { AppContext } from '#server/context.ts';
import { createConnectNotice, hasReceipts } from '#server/adapter/html/connect-notice.ts';
import {
  hashSource,
  inlineIconBaseUrl,
  originsOf,
  pageHeaders,
  renderPage,
} from '#server/adapter/html/render.ts';
import { PRINT_STYLE_PATH, cardStyle, noticeStyle } from '#server/adapter/html/style.ts';
import { ApiError } from '#server/error.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import type { WebFiles } from '#server/adapter/html/web-files.ts';
import { onceEachLanguage } from '#server/http/language.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { findByAddress } from '#server/adapter/profile/card-address.ts';
import { findCard } from '#server/adapter/profile/card.ts';
import type { Card } from '#server/adapter/profile/card.ts';
import type { Settings } from '#server/settings/settings.ts';

import { previewPath } from './preview.ts';

const OK = 200;
const MOVED_PERMANENTLY = 301;
const FOUND = 302;
const NOT_FOUND = 404;
/** A browser revalidates at each visit (a 304 is cheap), so an owner sees a change immediately. */
const CACHE_CONTROL = 'max-age=0, must-revalidate';
const SHARED_SECONDS = 60;

export function cardPageRoutes(context: AppContext): void {
  const { settings, dependencies, responses } = context;
  const renderCard = createCardRenderer(settings, dependencies.web);
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
    // The next showing of the code must not be answered by a CDN.
    isPrivate: (userId: string, request: PublicRequest) => {
      const token = request.query['s'];
      if (!isScanToken(token)) return false;
      if (request.method === 'GET' && isFromPerson(request)) context.live.opened(userId, token);
      return true;
    },
  };
  publicRoute(context, { ...page, url: cardPath(':userID'), pathOf: cardPath });
  publicRoute(context, {
    ...page,
    url: ADDRESS_ROUTE,
    pathOf: (_userId, { params }) => `/${params['address'] ?? ''}`,
    userIdOf: ({ params, url }) =>
      findAddressed(dependencies.database, params['address'] ?? '', url),
  });
}

const ADDRESS_ROUTE = '/:address(^@.+$)';
/** A minute: for longer, a browser could keep a redirect that loops once the name is taken back. */
const FORMER_CACHE_CONTROL = 'public, max-age=60';

async function findAddressed(database: Database, address: string, url: string) {
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

/** Returns a function that renders a card page; without a phone, the fallback page. */
function createCardRenderer(settings: Settings, web: WebFiles) {
  const { productName, appUrl, serverBaseUrl: serverUrl } = settings;
  const [hasReceipt, isTextWhole] = [hasReceipts(settings), settings.cardText === 'whole'];
  const script = hasReceipt ? web.receiptCardScript : web.cardScript;
  const countsVisits = settings.views.has('analytics');
  const sources = {
    script: [hashSource(script)],
    connect: originsOf(settings.serverBaseUrl),
    image: originsOf(settings.iconBaseUrl),
  };
  const contactUrl = `${serverUrl}${addContact.path}`;
  const notReady = noticePages(settings, NotReadyPage, OK);

  return (stored: Card, key: CardKey): StoredResponse => {
    const { origin, pageLanguage: language } = key;
    const translations = shownTranslations(stored.translations, language.offered);
    const { profile, palette, logo } = stored;
    if (profile.phone === '') return notReady(language);
    const extras = shownExtras(stored.extras, settings.cardExtras);
    const hasTranslations = Object.keys(translations).length > 0;
    const parts = { hasExtras: hasExtras(extras), hasTranslations, isTextWhole, hasReceipt };
    const style = cardStyle(palette, parts, language);
    const page = createElement(CardPage, {
      language,
      profile,
      palette,
      logo,
      extras,
      translations,
      isTextWhole,
      phoneText: formatPhone(profile.phone),
      phoneHref: phoneHref(profile.phone),
      secondPhone: extras.phone ? toSecondPhone(extras.phone) : undefined,
      url: `${origin}${cardPath(profile._id)}`,
      previewImageUrl: `${origin}${previewPath({ ...stored, translations }, productName, language.language)}`,
      productName,
      appUrl,
      iconBaseUrl: inlineIconBaseUrl(settings.iconBaseUrl),
      sendTo: language.language === 'en' ? contactUrl : inLanguage(contactUrl, language.language),
      countAt: countsVisits ? `${serverUrl}${countVisitPath(profile._id)}` : undefined,
      notice: createConnectNotice(settings, language.language),
      style,
      printStylePath: PRINT_STYLE_PATH,
      script,
      payScriptPath: web.scripts.pay,
    });
    return new StoredResponse({
      body: renderPage(page),
      headers: {
        'cache-control': cacheControl(key, CACHE_CONTROL, SHARED_SECONDS),
        'x-robots-tag': undefined,
        ...pageHeaders({ style, language, sources }),
      },
    });
  };
}

const toSecondPhone = (phone: string) => ({ text: formatPhone(phone), href: phoneHref(phone) });

function noticePages({ productName, appUrl }: Settings, page: typeof UnknownPage, status: number) {
  return onceEachLanguage((language) => {
    const style = noticeStyle(language);
    return new StoredResponse({
      status,
      body: renderPage(createElement(page, { language, productName, appUrl, style })),
      isFixed: true,
      headers: { 'cache-control': 'no-store', ...pageHeaders({ style, language }) },
    });
  });
}
