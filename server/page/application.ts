import { BROWSER_SETTINGS_ID } from '#contract/browser-settings.ts';
import type { BrowserSettings } from '#contract/browser-settings.ts';
import type { AppContext } from '#server/context.ts';
import { inlineIconBaseUrl } from '#server/html/icon-base.ts';
import { originsOf } from '#server/html/render.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { contentSecurityPolicy } from '#server/http/headers.ts';
import { sendFinished } from '#server/http/send.ts';

/** The pages with the login provider's widget: third-party code runs on no other page. */
const LOGIN_PATHS = ['/', '/login'];
const DASHBOARD_PATHS = ['', '/contacts', '/analytics', '/edit'].map((path) => `/dashboard${path}`);
const OWNER_PATHS = ['/ftue', ...DASHBOARD_PATHS];

/** Registers the owner's application: one HTML page with inlined settings, never indexed. */
export function applicationRoutes({ fastify, settings, dependencies }: AppContext): void {
  const common: BrowserSettings = {
    productName: settings.productName,
    supportEmail: settings.supportEmail,
    publicUrl: settings.publicUrl,
    apiUrl: settings.apiUrl,
    serverUrl: settings.serverUrl,
    iconBaseUrl: inlineIconBaseUrl(settings.iconBaseUrl),
    vitalsUrl: settings.vitalsUrl,
  };
  const { client, origins } = dependencies.provider;
  const connect = originsOf(settings.apiUrl, settings.serverUrl, settings.vitalsUrl);
  const image = originsOf(settings.iconBaseUrl);

  const frame = origins.length > 0 ? { frame: origins } : {};
  const pages = [
    {
      paths: LOGIN_PATHS,
      settings: { ...common, provider: client },
      sources: {
        script: origins,
        style: origins,
        ...frame,
        connect: [...connect, ...origins],
        image: [...image, ...origins],
      },
    },
    { paths: OWNER_PATHS, settings: common, sources: { connect, image } },
  ];
  for (const { paths, settings: pageSettings, sources } of pages) {
    const page = new FinishedResponse({
      body: withSettings(dependencies.web.applicationPage, pageSettings),
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': contentSecurityPolicy(sources),
      },
    });
    for (const path of paths) {
      fastify.get(path, (request, reply) => sendFinished(request, reply, page));
    }
  }
}

/** Inserts the settings as JSON, escaped so that no text can end the script element. */
function withSettings(page: string, settings: BrowserSettings): string {
  const json = JSON.stringify(settings)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  const element = `<script type="application/json" id="${BROWSER_SETTINGS_ID}">${json}</script>`;
  // The replacement is a function, because `$&` is special in a replacement string.
  return page.replace('</body>', () => `${element}</body>`);
}
