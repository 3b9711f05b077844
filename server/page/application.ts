import type { FastifyReply } from 'fastify';

import { BROWSER_SETTINGS_ID } from '#contract/browser-settings.ts';
import type { BrowserSettings } from '#contract/browser-settings.ts';
import { setPagePolicy } from '#server/http/headers.ts';
import type { AppContext } from '#server/context.ts';

import { originsOf } from '#server/html/render.ts';
import { inlineIconBaseUrl } from '#server/html/icon-base.ts';

/** Where the login provider's widget stands: third-party code runs on no other page. */
const LOGIN_PATHS = ['/', '/login'];
const DASHBOARD_PATHS = ['', '/contacts', '/analytics', '/edit'].map((path) => `/dashboard${path}`);
const OWNER_PATHS = ['/ftue', ...DASHBOARD_PATHS];

/** The owner's application: one HTML page, with what it must know put in. Never indexed. */
export function applicationRoutes({ fastify, settings, dependencies }: AppContext): void {
  const known: BrowserSettings = {
    productName: settings.productName,
    supportEmail: settings.supportEmail,
    publicUrl: settings.publicUrl,
    apiUrl: settings.apiUrl,
    serverUrl: settings.serverUrl,
    iconBaseUrl: inlineIconBaseUrl(settings.iconBaseUrl),
    vitalsUrl: settings.vitalsUrl,
  };
  const { client, origins } = dependencies.provider;
  const ownerPage = withSettings(dependencies.web.applicationPage, known);
  const loginPage = withSettings(dependencies.web.applicationPage, { ...known, provider: client });
  const connect = originsOf(settings.apiUrl, settings.serverUrl, settings.vitalsUrl);
  const image = originsOf(settings.iconBaseUrl);

  for (const path of LOGIN_PATHS) {
    fastify.get(path, (_request, reply) => {
      const frame = origins.length > 0 ? { frame: origins } : {};
      const provider = { script: origins, style: origins, ...frame };
      setPagePolicy(reply, {
        ...provider,
        connect: [...connect, ...origins],
        image: [...image, ...origins],
      });
      return sendPage(reply, loginPage);
    });
  }
  for (const path of OWNER_PATHS) {
    fastify.get(path, (_request, reply) => {
      setPagePolicy(reply, { connect, image });
      return sendPage(reply, ownerPage);
    });
  }
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('x-robots-tag', 'noindex')
    .send(page);
}

/** The page with its settings as data: escaped, so that no text can end the element. */
function withSettings(page: string, settings: BrowserSettings): string {
  const json = JSON.stringify(settings)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  const element = `<script type="application/json" id="${BROWSER_SETTINGS_ID}">${json}</script>`;
  // A function, since a text for a replacement would read `$&` in a setting as its own.
  return page.replace('</body>', () => `${element}</body>`);
}
