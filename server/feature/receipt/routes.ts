import type { FastifyReply, FastifyRequest } from 'fastify';
import { createElement } from 'react';

import { displayName } from '#domain/display.ts';
import { receiptPath } from '#domain/path.ts';
import { EVERYONE_AT_TABLE } from '#domain/table.ts';
import { NoReceiptPage, ReceiptPage, WITHDRAW_QUERY } from '#view/receipt-page.tsx';
import { createConnectNotice, hasReceipts } from '#server/adapter/html/connect-notice.ts';
import { pageHeaders, renderPage } from '#server/adapter/html/render.ts';
import { receiptStyle } from '#server/adapter/html/style.ts';
import type { AppContext } from '#server/context.ts';
import { pageLanguage } from '#server/http/language.ts';
import { createReceiptRateLimits } from '#server/http/limit.ts';
import { TOKEN_FORM } from '#server/token.ts';

import { findReceipt, saveNoticeStatement, withdraw } from './store.ts';

const NOT_FOUND = 404;
/** These headers keep the token from proxies, search engines and the pages to which the receipt links. */
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

type PageFrame = Omit<Parameters<typeof NoReceiptPage>[0], 'isWithdrawn'>;
type TokenRequest = FastifyRequest<{ Params: { readonly token: string } }>;

/** Receipts exist only with CONNECT_NOTICE=dpdp (docs/operate/dpdp.md). */
export function receiptRoutes(context: AppContext): void {
  const { fastify, settings, dependencies } = context;
  if (!hasReceipts(settings)) return;
  const { database, clock } = dependencies;
  const { languages, productName, timeZone } = settings;
  const rateLimits = createReceiptRateLimits(clock);

  // The texts of the notices are stored before any visitor sees one.
  fastify.addHook('onReady', async () => {
    const offered = languages.length > 0 ? languages : (['en'] as const);
    const statements = offered.flatMap((language) => {
      const notice = createConnectNotice(settings, language);
      return notice ? saveNoticeStatement(notice.version, language, notice.text) : [];
    });
    await database.batch(statements);
  });

  const readTokenRequest = (request: TokenRequest, reply: FastifyReply) => {
    void reply.headers(PRIVATE_HEADERS);
    const { query, headers, params } = request;
    const token = TOKEN_FORM.test(params.token) ? params.token : '';
    if (token !== '') rateLimits.known.countOrThrow(token);
    const language = pageLanguage(languages, query, headers['accept-language']);
    const style = receiptStyle(language);
    void reply.headers(pageHeaders({ style, language }));
    return { token, language, style, productName };
  };

  /** Throws ApiError 'too_many_requests' (429) if the network has opened too many unknown links. */
  const renderNoReceipt = (request: TokenRequest, reply: FastifyReply, frame: PageFrame) => {
    rateLimits.unknown.countOrThrow(request.client.prefix64);
    void reply.code(NOT_FOUND);
    return renderPage(createElement(NoReceiptPage, { ...frame, isWithdrawn: false }));
  };

  fastify.get(receiptPath(':token'), async (request: TokenRequest, reply) => {
    const { token, ...frame } = readTokenRequest(request, reply);
    const receipt = await findReceipt(database, token, context.brand);
    if (receipt === null) return renderNoReceipt(request, reply, frame);
    const { createdAt, ownerNames, isOfTable, ...shown } = receipt;
    const style = receiptStyle(frame.language, shown.palette);
    void reply.headers(pageHeaders({ style, language: frame.language }));
    const time = new Intl.DateTimeFormat(`${frame.language.language}-IN-u-nu-latn`, {
      ...TIME_FORMAT,
      timeZone,
    }).format(createdAt);
    const isConfirming = WITHDRAW_QUERY in (request.query as object);
    const names = ownerNames.map((name) => displayName({ name }));
    const ownerName = new Intl.ListFormat(frame.language.language).format(names);
    // Also people without a card saw what was entered at a table.
    const recipients = isOfTable ? EVERYONE_AT_TABLE : ownerName;
    const props = { ...frame, ...shown, style, ownerName, recipients, time, isConfirming };
    return renderPage(createElement(ReceiptPage, props));
  });

  // The body is not read, because a browser sends an empty form.
  const onRequest = async (request: TokenRequest, reply: FastifyReply) => {
    const { token, ...frame } = readTokenRequest(request, reply);
    const { owners, tables } = await withdraw(database, token, clock.now());
    void reply.header('connection', 'close');
    if (owners.length + tables.length === 0)
      return reply.send(renderNoReceipt(request, reply, frame));
    for (const userId of owners) context.webhookQueue.wake(userId);
    for (const table of tables) context.tableStreams.announce(table);
    return reply.send(renderPage(createElement(NoReceiptPage, { ...frame, isWithdrawn: true })));
  };
  fastify.post(receiptPath(':token'), { onRequest }, () => undefined);
}
