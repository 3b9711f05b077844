import type { FastifyReply, FastifyRequest } from 'fastify';
import { createElement } from 'react';

import { displayName } from '#domain/display.ts';
import { receiptPath } from '#domain/path.ts';
import { NoReceiptPage, ReceiptPage, WITHDRAW_QUERY } from '#view/receipt-page.tsx';
import { createConnectNotice, hasReceipts } from '#server/adapter/html/connect-notice.ts';
import { pageHeaders, renderPage } from '#server/adapter/html/render.ts';
import { receiptStyle } from '#server/adapter/html/style.ts';
import type { AppContext } from '#server/context.ts';
import { pageLanguage } from '#server/http/language.ts';
import { rateLimitKey } from '#server/http/limit/address.ts';
import { createReceiptRateLimit } from '#server/http/limit/rate-limit.ts';

import { findReceipt, saveNoticeStatement, withdraw } from './store.ts';

const TOKEN = /^[\w-]{43}$/;
const OK = 200;
const NOT_FOUND = 404;
/** A proxy, a search engine and the pages behind a link never learn the token. */
const PRIVATE_HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

const TIME_FORMAT = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const;

type TokenRequest = FastifyRequest<{ Params: { readonly token: string } }>;

/** With CONNECT_NOTICE=dpdp (docs/dpdp.md). */
export function receiptRoutes(context: AppContext): void {
  const { fastify, settings, dependencies } = context;
  if (!hasReceipts(settings)) return;
  const { database, clock } = dependencies;
  const { languages, productName, timeZone } = settings;
  const rateLimit = createReceiptRateLimit(clock);

  // Before a visitor sees one.
  fastify.addHook('onReady', async () => {
    const offered = languages.length > 0 ? languages : (['en'] as const);
    const statements = offered.flatMap((language) => {
      const notice = createConnectNotice(settings, language);
      return notice ? saveNoticeStatement(notice.version, language, notice.text) : [];
    });
    await database.batch(statements);
  });

  const begin = (request: TokenRequest, reply: FastifyReply) => {
    void reply.headers(PRIVATE_HEADERS);
    rateLimit.countOrThrow(rateLimitKey(request.ip));
    const { query, headers, params } = request;
    const language = pageLanguage(languages, query, headers['accept-language']);
    const style = receiptStyle(language);
    void reply.headers(pageHeaders({ style, language }));
    return { token: TOKEN.test(params.token) ? params.token : '', language, style, productName };
  };

  fastify.get(receiptPath(':token'), async (request: TokenRequest, reply) => {
    const { token, ...frame } = begin(request, reply);
    const receipt = await findReceipt(database, token);
    if (receipt === null) {
      void reply.code(NOT_FOUND);
      return renderPage(createElement(NoReceiptPage, { ...frame, isWithdrawn: false }));
    }
    const { createdAt, ownerName, ...left } = receipt;
    const time = new Intl.DateTimeFormat(`${frame.language.language}-IN-u-nu-latn`, {
      ...TIME_FORMAT,
      timeZone,
    }).format(createdAt);
    const isConfirming = WITHDRAW_QUERY in (request.query as object);
    const name = displayName({ name: ownerName });
    const props = { ...frame, ...left, ownerName: name, time, isConfirming };
    return renderPage(createElement(ReceiptPage, props));
  });

  // The body is not read: a browser sends an empty form.
  const onRequest = async (request: TokenRequest, reply: FastifyReply) => {
    const { token, ...frame } = begin(request, reply);
    const userId = await withdraw(database, token, clock.now());
    if (userId !== null) context.webhookQueue.wake(userId);
    const page = createElement(NoReceiptPage, { ...frame, isWithdrawn: userId !== null });
    void reply.header('connection', 'close');
    return reply.code(userId === null ? NOT_FOUND : OK).send(renderPage(page));
  };
  fastify.post(receiptPath(':token'), { onRequest }, () => undefined);
}
