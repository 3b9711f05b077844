import { createElement } from 'react';
import type { ReactElement } from 'react';

import type { BrowserSettings } from '#contract/browser-settings.ts';
import { BROWSER_SETTINGS_ID } from '#contract/settings-element.ts';
import { CATALOGUES } from '#domain/language/catalogues.ts';
import { ONLY_ENGLISH } from '#domain/language/language.ts';
import type { Language, PageLanguage } from '#domain/language/language.ts';
import { PATHS } from '#domain/path.ts';
import { SigninPage, VerifyPage } from '#view/signin-page.tsx';
import type { AppContext } from '#server/context.ts';
import { originsOf, pageHeaders, renderPage } from '#server/adapter/html/render.ts';
import { WIDGET_STYLE, signinStyle } from '#server/adapter/html/style.ts';
import { phoneTexts } from '#server/adapter/otp/providers.ts';
import { StoredResponse, sendStored } from '#server/http/stored-response.ts';
import { memoizeByLanguage, pageLanguage } from '#server/http/language.ts';
import type { Settings } from '#server/settings/settings.ts';

import { createBrowserSettings, settingsJson } from './shell.ts';

/** Serves the pages with the login provider's widget. Third-party code runs on no other page. */
export function signinRoutes(context: AppContext): void {
  const { fastify, settings, dependencies } = context;
  const { web } = dependencies;
  const { languages, productName, signup, supportEmail } = settings;
  const invitationEmail = signup === 'invited' ? supportEmail : null;
  const toResponse = createPageResponder(context);
  const signinPage = memoizeByLanguage((language) => {
    const style = signinStyle(language);
    const props = { ...widgetProps(context, language.language, web.scripts.signin), style };
    const page = createElement(SigninPage, { ...props, language, productName, invitationEmail });
    return toResponse(page, style, language);
  });
  for (const path of [PATHS.start, PATHS.login]) {
    fastify.get(path, (request, reply) => {
      const { query, headers } = request;
      const language = pageLanguage(languages, query, headers['accept-language']);
      return sendStored(request, reply, signinPage(language));
    });
  }
  const style = WIDGET_STYLE;
  const title = `Account and data - ${productName}`;
  const props = { ...widgetProps(context, 'en', web.scripts.verify), style, title };
  const verifyPage = toResponse(createElement(VerifyPage, props), style, ONLY_ENGLISH);
  fastify.get(PATHS.accountVerify, (request, reply) => sendStored(request, reply, verifyPage));
}

function widgetProps(
  { settings, brand, dependencies }: AppContext,
  language: Language,
  script: string,
) {
  const { client } = dependencies.provider;
  const json = settingsJson({
    ...createBrowserSettings(settings, brand),
    ...providerSettings(settings, client, language),
  });
  return {
    script,
    // The page preloads the widget's script, which the page's own script then loads.
    widgetScript: client.kind === 'embedded' ? client.scriptUrl : undefined,
    settings: { id: BROWSER_SETTINGS_ID, json },
  };
}

type Client = AppContext['dependencies']['provider']['client'];

function providerSettings(
  { otpCountries, dormantDays }: Settings,
  client: Client,
  language: Language,
): Pick<BrowserSettings, 'provider' | 'texts'> {
  if (language === 'en') return { provider: client };
  const { signin, code, dormant } = CATALOGUES[language];
  const hints = client.kind === 'embedded' ? phoneTexts(otpCountries, language) : {};
  const configuration = { ...client.configuration, ...hints };
  return {
    provider: { ...client, configuration },
    texts: { signin, code, ...(dormantDays > 0 && { dormant }) },
  };
}

function createPageResponder({ settings, dependencies }: AppContext) {
  const { origins } = dependencies.provider;
  const { apiBaseUrl, serverBaseUrl, vitalsUrl, iconBaseUrl } = settings;
  const sources = {
    script: origins,
    style: origins,
    connect: [...originsOf(apiBaseUrl, serverBaseUrl, vitalsUrl ?? ''), ...origins],
    image: [...originsOf(iconBaseUrl), ...origins],
    ...(origins.length > 0 && { frame: origins }),
    hasWorker: false,
  };
  return (page: ReactElement, style: string, language: PageLanguage) =>
    new StoredResponse({
      body: renderPage(page),
      isFixed: true,
      headers: { 'cache-control': 'no-cache', ...pageHeaders({ style, language, sources }) },
    });
}
