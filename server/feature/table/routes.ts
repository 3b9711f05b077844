import type { FastifyRequest } from 'fastify';

import {
  closeTable,
  createTable,
  endTable,
  getOwnTable,
  getTable,
  getTableLive,
  joinTable,
  leaveTable,
  removePerson,
} from '#contract/table.ts';
import { SECOND_MS } from '#domain/duration.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError } from '#server/error.ts';
import { route } from '#server/http/route.ts';

import { tablePageRoutes } from './page.ts';
import { toReply } from './reply.ts';
import { isHere, returnNullIfEnded, setOpen } from './store.ts';
import { Tables } from './tables.ts';

/** A table ends within this time after its hour, or after its starter was blocked. */
const CHECK_INTERVAL_MS = 10 * SECOND_MS;

/** docs/develop/product.md#table */
export function tableRoutes(context: AppContext): void {
  const { fastify, tableStreams, dependencies } = context;
  const tables = new Tables(context);
  const timer = setInterval(() => {
    tables
      .check()
      .catch((error: unknown) =>
        dependencies.log.warn({ err: error }, 'the tables could not be checked'),
      );
  }, CHECK_INTERVAL_MS).unref();
  // The streams must end before the server waits for pending responses.
  fastify.addHook('preClose', async () => {
    clearInterval(timer);
    tableStreams.close();
  });
  starterRoutes(context, tables);
  personRoutes(context, tables);
  tablePageRoutes(context, tables);
}

function starterRoutes(context: AppContext, tables: Tables): void {
  const { database } = context.dependencies;
  const openOf = (userId: string, request: FastifyRequest) =>
    tables.open({ starterId: userId }, request);

  route(context, createTable, async ({ caller: { userId }, body, request }) => {
    const { id } = await tables.start(userId, body.name, request);
    return { table: id };
  });
  route(context, getOwnTable, async ({ caller: { userId }, request, reply }) => {
    const notice = tables.notice?.hasReceipt ? tables.notice.text : '';
    const table = await openOf(userId, request).catch(returnNullIfEnded);
    if (table === null) return { table: null, notice };
    const key = tables.keyOf(table, { userId }, request);
    void reply.header('set-cookie', tables.cookieOf(table, key, request));
    return { table: table.id, notice, receipt: tables.receiptOf(key) };
  });
  route(context, removePerson, async ({ caller: { userId }, body, request }) => {
    const table = await openOf(userId, request);
    const person = table.people.find(({ id }) => id === body.person);
    await tables.remove(table, person ?? null, 'removed');
    return {};
  });
  route(context, closeTable, async ({ caller: { userId }, body, request }) => {
    const table = await openOf(userId, request);
    await setOpen(database, table.id, body.open);
    tables.announce(table);
    return {};
  });
  route(context, endTable, async ({ caller: { userId }, request }) => {
    await tables.end(await openOf(userId, request));
    return {};
  });
}

function personRoutes(context: AppContext, tables: Tables): void {
  route(context, joinTable, async ({ body, request, reply }) => {
    const table = await tables.open({ id: body.table }, request);
    const { key, person } = await tables.join(table, body.contact, request);
    void reply.header('set-cookie', tables.cookieOf(table, key, request));
    return { person: person.id, receipt: tables.receiptOf(key) };
  });
  route(context, leaveTable, async ({ body, request }) => {
    const table = await tables.open({ id: body.table }, request);
    await tables.remove(table, await tables.findPerson(table, request), 'left');
    return {};
  });
  route(context, getTable, async ({ params, request }) => {
    const table = await tables.open({ id: params.table }, request);
    const person = await tables.findPerson(table, request);
    if (!person) context.readRateLimit.countOrThrow(request.client.prefix64);
    return toReply(table, person);
  });
  route(context, getTableLive, async ({ params, request }) => {
    const table = await tables.open({ id: params.table }, request);
    const person = await tables.findPerson(table, request);
    if (!person || !isHere(person)) throw new ApiError('not_found', 'Join the table first.');
    return context.tableStreams.open(table.id, person.id);
  });
}
