import { createHash } from 'node:crypto';

import { createElement } from 'react';
import { setPagePolicy } from '#server/http/headers.ts';
import type { AppContext } from '#server/context.ts';
import type { Settings } from '#server/settings.ts';
import { POLICIES, PolicyPage } from '#view/policy.tsx';
import frameStyle from '#view/policy.css?inline';
import printStyle from '#view/policy-print.css?inline';
import textStyle from '#view/policy-text.css?inline';
import type { Policy } from '#view/policies/policy.tsx';
import tokens from '#view/tokens.css?inline';

import { renderPage, hashSource } from '#server/html/render.ts';

const STYLE = tokens + frameStyle + textStyle + printStyle;
const STYLE_SOURCE = hashSource(STYLE);
const HASH_LENGTH = 22;
/** A policy changes with a release alone; an hour is short enough for that to be seen. */
const CACHING = 'public, max-age=3600';

/** The four policies. They depend on the settings alone, so each is drawn once. */
export function policyRoutes({ fastify, settings }: AppContext): void {
  for (const policy of POLICIES) {
    const page = drawPolicy(policy, settings);
    fastify.get(policy.path, async (request, reply) => {
      void reply.removeHeader('x-robots-tag');
      void reply.header('cache-control', CACHING).header('etag', page.etag);
      if (request.headers['if-none-match']?.includes(page.etag)) return reply.code(304).send();
      setPagePolicy(reply, { style: [STYLE_SOURCE] });
      return reply.type('text/html; charset=utf-8').send(page.html);
    });
  }
}

interface Page {
  readonly html: string;
  readonly etag: string;
}

function drawPolicy(policy: Policy, settings: Settings): Page {
  const { productName, supportEmail, jurisdictionState, sessionDays } = settings;
  const element = createElement(PolicyPage, {
    policy,
    facts: { productName, supportEmail, jurisdictionState, sessionDays },
    style: STYLE,
    // A link within the site where no address is set: the Host header is anybody's to choose.
    address: `${settings.publicUrl}${policy.path}`,
  });
  const html = renderPage(element);
  return {
    html,
    etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, HASH_LENGTH)}"`,
  };
}
