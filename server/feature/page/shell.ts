import { createHash } from 'node:crypto';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

import type { BrowserSettings } from '#contract/browser-settings.ts';
import type { Brand } from '#domain/appearance.ts';
import { WORKER_PATH } from '#domain/offline.ts';
import { ownerPages } from '#domain/page.ts';
import { ONLY_ENGLISH } from '#domain/language/language.ts';
import { PATHS } from '#domain/path.ts';
import { SHARE_TARGET_PATH } from '#domain/share.ts';
import { SharePage } from '#view/notice-page.tsx';
import type { AppContext } from '#server/context.ts';
import {
  inlineIconBaseUrl,
  originsOf,
  pageHeaders,
  renderPage,
} from '#server/adapter/html/render.ts';
import { PRODUCT_LOGO_PATH, PRODUCT_LOGO } from '#server/adapter/html/product-logo.ts';
import { noticeStyle } from '#server/adapter/html/style.ts';
import { fixedFile } from '#server/http/stored-response.ts';
import { contentSecurityPolicy } from '#server/http/headers.ts';
import { sendStored } from '#server/http/send.ts';
import type { Settings } from '#server/settings/settings.ts';

/** Files of this origin only, and the icon of notifications. */
const WORKER_POLICY =
  "default-src 'none'; connect-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const MOVED_PERMANENTLY = 301;

export function shellRoutes({ fastify, settings, brand, dependencies }: AppContext): void {
  const { shell, storedFiles, contactFiles, workerScript } = dependencies.web;
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
  const entries = [
    storedDocument(PATHS.dashboard, body),
    storedDocument(PRODUCT_LOGO_PATH, PRODUCT_LOGO),
    ...[...new Set([...storedFiles, ...(hasContacts ? contactFiles : [])])].map((url) => ({
      url,
      revision: null,
    })),
  ];
  const worker = fixedFile(
    `self.files=${JSON.stringify(entries)};\n${workerScript}`,
    ['text/javascript; charset=utf-8', 'no-cache'],
    { 'content-security-policy': WORKER_POLICY },
  );
  fastify.get(WORKER_PATH, (request, reply) => sendStored(request, reply, worker));
  if (hasContacts) shareTargetRoute(fastify, settings);
}

/** Where the service worker does not run, also after a log out. The body is not read. */
function shareTargetRoute(fastify: FastifyInstance, { productName }: Settings): void {
  const style = noticeStyle(ONLY_ENGLISH);
  const page = createElement(SharePage, { language: ONLY_ENGLISH, productName, style });
  const headers = { 'cache-control': 'no-store', connection: 'close', ...pageHeaders({ style }) };
  const onRequest = (_request: FastifyRequest, reply: FastifyReply) =>
    void reply.headers(headers).send(renderPage(page));
  fastify.post(SHARE_TARGET_PATH, { onRequest }, () => undefined);
}

/** The path of the translations until version 1.1.0. */
export function oldPathRoutes({ fastify, settings }: AppContext): void {
  if (settings.languages.length === 0) return;
  fastify.get('/dashboard/faces', (request, reply) =>
    reply.redirect(request.url.replace(/^[^?]*/, PATHS.translations), MOVED_PERMANENTLY),
  );
}

/** The hash keeps the shell of one version from being stored with the files of another. */
function storedDocument(url: string, body: string) {
  const hash = createHash('sha256').update(body).digest('base64');
  return { url, revision: hash, integrity: `sha256-${hash}` };
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

/** So that no text can end the script element. */
export function settingsJson(settings: BrowserSettings): string {
  return JSON.stringify(settings)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
