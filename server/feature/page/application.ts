import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

import type { BrowserSettings } from '#contract/browser-settings.ts';
import { LANGUAGE_LINKS_PLACEHOLDER, PRODUCT_NAME_PLACEHOLDER } from '#contract/owner-document.ts';
import type { OwnerDocument } from '#contract/owner-document.ts';
import { BROWSER_SETTINGS_ID } from '#contract/settings-element.ts';
import { CATALOGUES } from '#domain/language/catalogues.ts';
import { ONLY_ENGLISH } from '#domain/language/language.ts';
import type { Language, PageLanguage } from '#domain/language/language.ts';
import { WORKER_SCOPE } from '#domain/offline.ts';
import { PATHS } from '#domain/path.ts';
import { LanguageLinks } from '#view/language.tsx';
import { OwnerPage } from '#view/owner-page.tsx';
import type { AppContext } from '#server/context.ts';
import { inlineIconBaseUrl } from '#server/adapter/html/icon-base.ts';
import { hashSource, originsOf, renderPage } from '#server/adapter/html/render.ts';
import { signinLanguageStyle } from '#server/adapter/html/style.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { contentSecurityPolicy } from '#server/http/headers.ts';
import { languageHeaders, onceEachLanguage, pageLanguage } from '#server/http/language.ts';
import { phoneTexts } from '#server/adapter/otp/embedded/provider.ts';
import { sendFinished } from '#server/http/send.ts';
import type { Settings } from '#server/settings/settings.ts';

import { serviceWorkerRoute } from './service-worker.ts';
import type { OfflineDocument } from './service-worker.ts';

/** Third-party code runs on no other page. */
const WIDGET_PATHS: ReadonlySet<string> = new Set([PATHS.start, PATHS.login, PATHS.accountVerify]);

export function applicationRoutes(context: AppContext): void {
  const { fastify, settings, dependencies } = context;
  const { documents } = dependencies.web;
  const render = createRenderer(context);
  const offlineDocuments: OfflineDocument[] = [];
  for (const document of chooseDocuments(documents, settings)) {
    const { paths, files } = document;
    const inLanguages = documents.filter(({ paths: [path] }) => path === paths[0]);
    const isTranslated = inLanguages.some(({ language }) => language !== undefined);
    const languages = isTranslated ? settings.languages : [];
    const pageIn = onceEachLanguage((chosen) =>
      render(inLanguages.find(({ language }) => language === chosen.language) ?? document, chosen),
    );
    for (const path of paths) {
      fastify.get(path, (request, reply) => {
        const { query, headers } = request;
        const language = pageLanguage(languages, query, headers['accept-language']);
        return sendFinished(request, reply, pageIn(language));
      });
      if (isStoredOffline(path)) {
        offlineDocuments.push({ path, body: String(pageIn(ONLY_ENGLISH).body), files });
      }
    }
  }
  serviceWorkerRoute(context, offlineDocuments);
}

/** Returns a function that renders a document; one without translations is in English. */
function createRenderer(context: AppContext) {
  const { productName } = context.settings;
  const { login, owner } = createVariants(context);
  return (document: OwnerDocument, language: PageLanguage): FinishedResponse => {
    const { paths, title, html, styles, scripts, preloads, latePreloads } = document;
    const isLogin = paths.some((path) => WIDGET_PATHS.has(path));
    const { sources, classicScript, settingsIn } = isLogin ? login : owner;
    const style = context.dependencies.web.style + signinLanguageStyle(language);
    const label = CATALOGUES[language.language].page.language;
    const links = createElement(LanguageLinks, { ...language, label });
    const element = createElement(OwnerPage, {
      language,
      title: `${title} - ${productName}`,
      html: html
        .replaceAll(PRODUCT_NAME_PLACEHOLDER, () => escapeHtml(productName))
        .replace(LANGUAGE_LINKS_PLACEHOLDER, () => renderToStaticMarkup(links)),
      style,
      styles,
      scripts,
      preloads,
      latePreloads,
      classicScript,
      settings: { id: BROWSER_SETTINGS_ID, json: escapeJson(settingsIn(language.language)) },
    });
    return new FinishedResponse({
      body: renderPage(element),
      isFixed: true,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': contentSecurityPolicy({
          ...sources,
          style: [hashSource(style), ...sources.style],
        }),
        ...languageHeaders(language),
      },
    });
  };
}

function createVariants({ settings, dependencies }: AppContext) {
  const common = createBrowserSettings(settings);
  const { client, origins } = dependencies.provider;
  const connect = originsOf(settings.apiBaseUrl, settings.serverBaseUrl, common.vitalsUrl);
  const image = originsOf(settings.iconBaseUrl);

  const frame = origins.length > 0 ? { frame: origins } : {};
  const login = {
    settingsIn: (language: Language): BrowserSettings => ({
      ...common,
      ...translatedLogin(settings, client, language),
    }),
    sources: {
      script: origins,
      style: origins,
      ...frame,
      connect: [...connect, ...origins],
      image: [...image, ...origins],
      hasWorker: false,
    },
    // The page's script loads it.
    classicScript: client.kind === 'embedded' ? client.scriptUrl : undefined,
  };
  const owner: typeof login = {
    settingsIn: () => common,
    sources: { script: [], style: [], connect, image, hasWorker: true },
    classicScript: undefined,
  };
  return { login, owner };
}

type Client = AppContext['dependencies']['provider']['client'];

/** What the login page gets: the provider's widget, and its texts if they are not English. */
function translatedLogin({ otpCountries }: Settings, client: Client, language: Language) {
  if (language === 'en') return { provider: client };
  const { signin, code } = CATALOGUES[language];
  const hints = client.kind === 'embedded' ? phoneTexts(otpCountries, language) : {};
  const configuration = { ...client.configuration, ...hints };
  return { provider: { ...client, configuration }, texts: { signin, code } };
}

/** In the worker's scope and without a third party's code. */
function isStoredOffline(path: string): boolean {
  return path.startsWith(WORKER_SCOPE) && !WIDGET_PATHS.has(path);
}

function createBrowserSettings(settings: Settings): BrowserSettings {
  return {
    productName: settings.productName,
    supportEmail: settings.supportEmail,
    publicUrl: settings.publicUrl ?? '',
    apiUrl: settings.apiBaseUrl,
    serverUrl: settings.serverBaseUrl,
    iconBaseUrl: inlineIconBaseUrl(settings.iconBaseUrl),
    vitalsUrl: settings.vitalsUrl ?? '',
    views: [...settings.views],
    ...(settings.languages.length > 0 && {
      languages: settings.languages.filter((language) => language !== 'en'),
    }),
    ...(settings.cardExtras.size > 0 && { cardExtras: [...settings.cardExtras] }),
    wallets: [
      ...(settings.applePassTypeId ? ['apple' as const] : []),
      ...(settings.googleWalletIssuerId ? ['google' as const] : []),
    ],
  };
}

/** Those in English. */
function chooseDocuments(documents: readonly OwnerDocument[], { views, languages }: Settings) {
  return documents.filter(
    ({ language, view, placeholderOf, needsLanguages }) =>
      language === undefined &&
      (!needsLanguages || languages.length > 0) &&
      (view === undefined || views.has(view)) &&
      (placeholderOf === undefined || !views.has(placeholderOf)),
  );
}

/** So that no text can end the script element. */
function escapeJson(settings: BrowserSettings): string {
  return JSON.stringify(settings)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

function escapeHtml(text: string): string {
  return renderToStaticMarkup(text);
}
