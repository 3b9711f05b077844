import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

import type { BrowserSettings } from '#contract/browser-settings.ts';
import { PRODUCT_NAME_PLACEHOLDER } from '#contract/owner-document.ts';
import type { OwnerDocument } from '#contract/owner-document.ts';
import { BROWSER_SETTINGS_ID } from '#contract/settings-element.ts';
import { WORKER_SCOPE } from '#domain/offline.ts';
import { PATHS } from '#domain/path.ts';
import { OwnerPage } from '#view/owner-page.tsx';
import type { AppContext } from '#server/context.ts';
import { inlineIconBaseUrl } from '#server/html/icon-base.ts';
import { hashSource, originsOf, renderPage } from '#server/html/render.ts';
import { FIXED_QUALITY, FinishedResponse } from '#server/http/finished-response.ts';
import { contentSecurityPolicy } from '#server/http/headers.ts';
import { sendFinished } from '#server/http/send.ts';
import type { Settings } from '#server/settings/settings.ts';

import { serviceWorkerRoute } from './service-worker.ts';
import type { OfflineDocument } from './service-worker.ts';

/** Third-party code runs on no other page. */
const WIDGET_PATHS: ReadonlySet<string> = new Set([PATHS.start, PATHS.login, PATHS.accountVerify]);

export function applicationRoutes(context: AppContext): void {
  const { fastify, settings, dependencies } = context;
  const { login, owner } = createVariants(context);
  const { documents, style } = dependencies.web;
  const offlineDocuments: OfflineDocument[] = [];
  for (const document of chooseDocuments(documents, settings)) {
    const { paths, title, html, styles, scripts, preloads, latePreloads, files } = document;
    const { sources, classicScript, ...page } = paths.some((path) => WIDGET_PATHS.has(path))
      ? login
      : owner;
    const element = createElement(OwnerPage, {
      title: `${title} - ${settings.productName}`,
      html: html.replaceAll(PRODUCT_NAME_PLACEHOLDER, () => escapeHtml(settings.productName)),
      style,
      styles,
      scripts,
      preloads,
      latePreloads,
      classicScript,
      settings: { id: BROWSER_SETTINGS_ID, json: escapeJson(page.settings) },
    });
    const body = renderPage(element);
    const response = new FinishedResponse({
      body,
      quality: FIXED_QUALITY,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': contentSecurityPolicy({
          ...sources,
          style: [hashSource(style), ...sources.style],
        }),
      },
    });
    for (const path of paths) {
      fastify.get(path, (request, reply) => sendFinished(request, reply, response));
      if (isStoredOffline(path)) offlineDocuments.push({ path, body, files });
    }
  }
  serviceWorkerRoute(context, offlineDocuments);
}

function createVariants({ settings, dependencies }: AppContext) {
  const common = createBrowserSettings(settings);
  const { client, origins } = dependencies.provider;
  const connect = originsOf(settings.apiUrl, settings.serverUrl, common.vitalsUrl);
  const image = originsOf(settings.iconBaseUrl);

  const frame = origins.length > 0 ? { frame: origins } : {};
  const login = {
    settings: { ...common, provider: client },
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
  const owner: Omit<typeof login, 'settings'> & { settings: BrowserSettings } = {
    settings: common,
    sources: { script: [], style: [], connect, image, hasWorker: true },
    classicScript: undefined,
  };
  return { login, owner };
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
    apiUrl: settings.apiUrl,
    serverUrl: settings.serverUrl,
    iconBaseUrl: inlineIconBaseUrl(settings.iconBaseUrl),
    vitalsUrl: settings.vitalsUrl ?? '',
    views: [...settings.views],
    ...(settings.cardExtras.size > 0 && { cardExtras: [...settings.cardExtras] }),
    wallets: [
      ...(settings.applePass ? ['apple' as const] : []),
      ...(settings.googleWallet ? ['google' as const] : []),
    ],
  };
}

function chooseDocuments(documents: readonly OwnerDocument[], { views }: Settings) {
  return documents.filter(
    ({ view, placeholderOf }) =>
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
