import { hash } from 'node:crypto';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

import type { BrowserSettings } from '#contract/browser-settings.ts';
import type { Brand } from '#domain/appearance.ts';
import { WORKER_PATH } from '#domain/offline.ts';
import { OWNER_PAGES, ownerPages } from '#domain/page.ts';
import type { OwnerPage } from '#domain/page.ts';
import { ONLY_ENGLISH, TRANSLATION_LANGUAGES } from '#domain/language/language.ts';
import { PATHS } from '#domain/path.ts';
import { SHARE_TARGET_PATH } from '#domain/share.ts';
import { SharePage } from '#view/notice-page.tsx';
import type { AppContext } from '#server/context.ts';
import {
  contentSecurityPolicy,
  inlineIconBaseUrl,
  originsOf,
  pageHeaders,
  renderPage,
} from '#server/adapter/html/render.ts';
import { PRODUCT_LOGO_PATH, PRODUCT_LOGO } from '#server/adapter/html/product-logo.ts';
import { noticeStyle } from '#server/adapter/html/style.ts';
import { fixedFile, sendStored } from '#server/http/stored-response.ts';
import type { Settings } from '#server/settings/settings.ts';

/** The service worker loads only files of this origin, such as the icon of notifications. */
const WORKER_POLICY =
  "default-src 'none'; connect-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const MOVED_PERMANENTLY = 301;

export function shellRoutes({ fastify, settings, brand, dependencies }: AppContext): void {
  const { shell, storedFiles, workerScript } = dependencies.web;
  const browserSettings = createBrowserSettings(settings, brand);
  const hasContacts = settings.views.has('contacts');
  const { apiUrl, serverUrl, vitalsUrl } = browserSettings;
  const body = shell
    .replace('%PRODUCT_NAME%', () => renderToStaticMarkup(settings.productName))
    .replace('%SETTINGS%', () => settingsJson(browserSettings));
  const document = fixedFile(body, ['text/html; charset=utf-8', 'no-cache'], {
    'content-security-policy': contentSecurityPolicy({
      connect: originsOf(apiUrl, serverUrl, vitalsUrl),
      image: originsOf(settings.iconBaseUrl),
      hasWorker: true,
    }),
  });
  for (const { path } of ownerPages(settings.languages.length > 0)) {
    fastify.get(path, (request, reply) => sendStored(request, reply, document));
  }
  const precacheEntries = [
    precacheEntry(PATHS.dashboard, body),
    precacheEntry(PRODUCT_LOGO_PATH, PRODUCT_LOGO),
    ...storedFiles((name) => isNeeded(name, settings)).map((url) => ({ url, revision: null })),
  ];
  const worker = fixedFile(
    `self.files=${JSON.stringify(precacheEntries)};\n${workerScript}`,
    ['text/javascript; charset=utf-8', 'no-cache'],
    { 'content-security-policy': WORKER_POLICY },
  );
  fastify.get(WORKER_PATH, (request, reply) => sendStored(request, reply, worker));
  if (hasContacts) shareTargetRoute(fastify, settings);
}

/** Returns whether the settings need this module of `web/` or this catalogue of texts. */
function isNeeded(name: string, { views, languages }: Settings): boolean {
  const isOn = ({ view, needsLanguages }: OwnerPage) =>
    (view === undefined || views.has(view)) && (!needsLanguages || languages.length > 0);
  const page = Object.values<OwnerPage>(OWNER_PAGES).find(({ feature }) =>
    name.startsWith(`feature/${feature}/`),
  );
  const language = TRANSLATION_LANGUAGES.find((code) => name === `../domain/language/${code}.ts`);
  return (!page || isOn(page)) && (!language || languages.includes(language));
}

/**
 * A file that is shared with the app arrives here if no service worker runs, for example after a log out.
 * The body is not read.
 */
function shareTargetRoute(fastify: FastifyInstance, { productName }: Settings): void {
  const style = noticeStyle(ONLY_ENGLISH);
  const page = createElement(SharePage, { language: ONLY_ENGLISH, productName, style });
  const headers = { 'cache-control': 'no-store', connection: 'close', ...pageHeaders({ style }) };
  const onRequest = (_request: FastifyRequest, reply: FastifyReply) =>
    void reply.headers(headers).send(renderPage(page));
  fastify.post(SHARE_TARGET_PATH, { onRequest }, () => undefined);
}

/** Redirects the path that the translations had until version 1.1.0. */
export function oldPathRedirects({ fastify, settings }: AppContext): void {
  if (settings.languages.length === 0) return;
  fastify.get('/dashboard/faces', (request, reply) =>
    reply.redirect(request.url.replace(/^[^?]*/, PATHS.translations), MOVED_PERMANENTLY),
  );
}

/** The hash prevents a browser from storing the shell of one version with the files of another. */
function precacheEntry(url: string, body: string) {
  const revision = hash('sha256', body, 'base64');
  return { url, revision, integrity: `sha256-${revision}` };
}

export function createBrowserSettings(settings: Settings, brand: Brand): BrowserSettings {
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
    ...(settings.otpProvider === 'oidc' && { oidcName: settings.oidcName }),
    ...(settings.lockedFields.size > 0 && { lockedFields: [...settings.lockedFields] }),
    ...((settings.brandColour !== null || brand.logo !== '') && { brand }),
    ...(settings.cardText === 'whole' && { isCardTextWhole: true }),
    ...(settings.cardExtras.size > 0 && { cardExtras: [...settings.cardExtras] }),
    wallets: [
      ...(settings.applePassTypeId ? ['apple' as const] : []),
      ...(settings.googleWalletIssuerId ? ['google' as const] : []),
    ],
  };
}

/** Escapes the JSON so that no text can end the script element. */
export function settingsJson(settings: BrowserSettings): string {
  return JSON.stringify(settings)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
