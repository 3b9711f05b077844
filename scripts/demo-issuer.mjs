// An OpenID provider on this machine, for `npm run demo -- oidc` and for the tests. It asks for no password.
import { createServer } from 'node:http';

import { Provider } from 'oidc-provider';

const CLIENT = { client_id: 'tessera', client_secret: 'the-secret-of-the-demo-only' };

const escapeHtml = (text) => text.replace(/[&<"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const chooser = (people) => `<!doctype html><html lang="en"><title>Sign in</title>
<meta name="viewport" content="width=device-width"><main><h1>Who are you?</h1>
<form method="post">${people
  .map(
    ({ sub, name }) =>
      `<p><button name="sub" value="${escapeHtml(sub)}">${escapeHtml(name)}</button>`,
  )
  .join('')}<p><button name="sub" value="">Cancel</button></form></main></html>`;

/**
 * Starts the provider. `people` have a `sub`, a `name` and claims; the caller may change them. `use` is a
 * middleware of Koa. Returns the settings for the service, without OIDC_NAME.
 */
export async function startIssuer({ people, redirectUris, port = 0, use, keys, ...configuration }) {
  const server = createServer((request, response) => void provider.callback()(request, response));
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  server.unref();
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: redirectUris }],
    claims: { openid: ['sub'], phone: ['phone_number', 'phone_number_verified'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key for this machine'] },
    ...(keys && { jwks: { keys } }),
    ttl: { Session: 3600, Interaction: 3600, Grant: 3600, IdToken: 3600, AccessToken: 3600 },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => {
      const person = people.find(({ sub }) => sub === accountId);
      return person && { accountId, claims: () => person };
    },
    // Nobody is asked for consent.
    loadExistingGrant: async ({ oidc }) => {
      const { accountId } = oidc.session;
      const grant = new provider.Grant({ accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope('openid phone profile email');
      await grant.save();
      return grant;
    },
    ...configuration,
  });
  if (use) provider.use(use);
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next();
    if (context.method !== 'POST') {
      context.type = 'html';
      context.body = chooser(people);
      return undefined;
    }
    let body = '';
    for await (const chunk of context.req) body += chunk;
    const accountId = new URLSearchParams(body).get('sub');
    const result = accountId ? { login: { accountId } } : { error: 'access_denied' };
    context.redirect(await provider.interactionResult(context.req, context.res, result));
    context.status = 303;
    return undefined;
  });
  return {
    issuer,
    environment: {
      OTP_PROVIDER: 'oidc',
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
