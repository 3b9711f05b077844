import { createElement } from 'react';

import accent from '#view/accent.css?inline';
import { POLICIES, PolicyPage, withOperatorText } from '#view/policy-page.tsx';
import frameStyle from '#view/policy.css?inline';
import textStyle from '#view/policy-text.css?inline';
import type { Policy } from '#view/policy/policy.tsx';
import tokens from '#view/tokens.css?inline';
import type { AppContext } from '#server/context.ts';
import { hasReceipts } from '#server/adapter/html/connect-notice.ts';
import { pageHeaders, renderPage } from '#server/adapter/html/render.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import type { Settings } from '#server/settings/settings.ts';

const STYLE = tokens + accent + textStyle + frameStyle;
/** A policy changes only with a release. */
const CACHE_CONTROL = 'public, max-age=3600';

export function policyRoutes({ fastify, entrance, settings, responses }: AppContext): void {
  for (const policy of POLICIES) {
    const { path } = policy;
    const key = { userId: null, path, origin: '', route: path };
    entrance.register(fastify, { url: path, isRead: false }, async ({ headers }) => ({
      response: await responses.getOrRender(
        { ...key, isAuthorized: headers.authorization !== undefined },
        async (stale) => stale ?? policyPage(policy, settings),
      ),
    }));
  }
}

function policyPage(policy: Policy, settings: Settings): StoredResponse {
  const { productName, supportEmail, abuseEmail, jurisdictionState, policyAdditions } = settings;
  const { contactKeepDays, connectNotice, views } = settings;
  const element = createElement(PolicyPage, {
    policy: withOperatorText(policy, policyAdditions[policy.path] ?? ''),
    settings: {
      productName,
      supportEmail,
      abuseEmail,
      jurisdictionState,
      contactKeepDays,
      hasNotice: connectNotice !== null,
      hasReceipts: hasReceipts(settings),
      hasCompanyLogin: settings.otpProvider === 'oidc',
      hasContactsView: views.has('contacts'),
      countsVisits: views.has('analytics'),
      cardExtras: settings.cardExtras,
      hasWebhooks: settings.views.has('contacts'),
      hasLanguages: settings.languages.length > 0,
    },
    style: STYLE,
    // The URL is relative if PUBLIC_URL is not set, because the Host header must not be trusted.
    url: `${settings.publicUrl ?? ''}${policy.path}`,
  });
  return new StoredResponse({
    body: renderPage(element),
    isFixed: true,
    headers: {
      'cache-control': CACHE_CONTROL,
      'x-robots-tag': undefined,
      ...pageHeaders({ style: STYLE }),
    },
  });
}
