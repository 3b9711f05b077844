import type { FastifyReply, FastifyRequest } from 'fastify';
import { createElement } from 'react';

import { joinTable } from '#contract/table.ts';
import { ONLY_ENGLISH } from '#domain/language/language.ts';
import { cardPath } from '#domain/share.ts';
import {
  EVERYBODY,
  TABLE_ENDED,
  TABLE_ID,
  createTableTime,
  tableFilePath,
  tablePath,
} from '#domain/table.ts';
import { contactFileDisposition, writeVcard } from '#domain/vcard.ts';
import { NoticePage } from '#view/notice-page.tsx';
import { TablePage } from '#view/table-page.tsx';
import { pageHeaders, renderPage } from '#server/adapter/html/render.ts';
import { tableStyle } from '#server/adapter/html/style.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError } from '#server/error.ts';
import { OPEN_JSON_SIZE_BYTES_MAX, parseInput } from '#server/http/route.ts';

import { toReply } from './reply.ts';
import { readKey } from './key.ts';
import { isHere, returnNullIfEnded, tableEndedError } from './store.ts';
import type { Person, Table } from './store.ts';
import type { Tables } from './tables.ts';

const SEE_OTHER = 303;
const FORM_TYPE = 'application/x-www-form-urlencoded';
const PRIVATE_HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
const DELETED = 'What people entered here was deleted.';

type TableRequest = FastifyRequest<{ Params: { readonly table: string; readonly file: string } }>;
interface Failure {
  readonly error: string;
  readonly typed: Readonly<Record<string, string>>;
}

/** The page of a table works without script: its form is a POST that is answered with 303. */
export function tablePageRoutes(context: AppContext, tables: Tables): void {
  const sendPage = createPageSender(context, tables);
  context.fastify.get(tablePath(':table'), (request: TableRequest, reply) =>
    sendPage(request, reply),
  );
  fileRoute(context, tables, sendPage);
  formRoute(context, tables, sendPage);
}

/** Throws ApiError 'table_ended', also for an id of another form. */
async function openTable(tables: Tables, request: TableRequest): Promise<Table> {
  const { table } = request.params;
  if (!TABLE_ID.test(table)) throw tableEndedError();
  return tables.open({ id: table }, request);
}

type SendPage = ReturnType<typeof createPageSender>;

function createPageSender(context: AppContext, tables: Tables) {
  const { settings, dependencies, readRateLimit } = context;
  const { productName, timeZone } = settings;
  const style = tableStyle(ONLY_ENGLISH);
  const { table: script } = dependencies.web.scripts;
  const frame = { language: ONLY_ENGLISH, productName, style };
  const time = createTableTime(timeZone);

  async function render(request: TableRequest, failure: Partial<Failure>) {
    const table = await openTable(tables, request);
    const person = await tables.findPerson(table, request);
    if (!person) readRateLimit.countOrThrow(request.client.prefix64);
    const isJoined = person !== null && isHere(person);
    return createElement(TablePage, {
      ...frame,
      ...toReply(table, person),
      id: table.id,
      endTime: time.format(table.endsAt),
      receipt: isJoined ? tables.receiptOf(readKey(table.id, request)) : undefined,
      notice: tables.notice,
      script,
      isRemoved: person?.gone === 'removed',
      isStarter: person?.userId === table.starterId,
      ...failure,
    });
  }

  return async (request: TableRequest, reply: FastifyReply, failure: Partial<Failure> = {}) => {
    const page = await render(request, failure).catch((error: unknown) => {
      returnNullIfEnded(error);
      void reply.code(tableEndedError().status);
      return createElement(NoticePage, { ...frame, heading: TABLE_ENDED, sentence: DELETED });
    });
    void reply.headers({ ...PRIVATE_HEADERS, ...pageHeaders({ style }) });
    return renderPage(page);
  };
}

function fileRoute(context: AppContext, tables: Tables, sendPage: SendPage): void {
  const { fastify, dependencies } = context;
  const toVcard = ({ userId, mobile, ...fields }: Person, origin: string): string => {
    const { numbers } = dependencies.readPhone(mobile);
    const url = userId === null ? '' : origin + cardPath(userId);
    const note = numbers.length === 0 ? mobile : '';
    return writeVcard({ ...fields, phone: numbers }, { url, note });
  };

  fastify.get(tableFilePath(':table', ':file'), async (request: TableRequest, reply) => {
    void reply.headers(PRIVATE_HEADERS);
    const table = await openTable(tables, request).catch(returnNullIfEnded);
    if (table === null) return sendPage(request, reply);
    const viewer = await tables.findPerson(table, request);
    const others = table.people.filter((one) => isHere(one) && one.id !== viewer?.id);
    const { file } = request.params;
    const people = file === EVERYBODY ? others : others.filter(({ id }) => id === file);
    const [first] = people;
    if (!viewer || !isHere(viewer) || !first)
      throw new ApiError('not_found', "This person isn't at the table, or you haven't joined it.");
    const name = file === EVERYBODY ? table.name : first.name;
    void reply.headers({
      'content-type': 'text/vcard; charset=utf-8',
      'content-disposition': contactFileDisposition(name),
    });
    return people.map((person) => toVcard(person, tables.originOf(request))).join('');
  });
}

function formRoute({ fastify }: AppContext, tables: Tables, sendPage: SendPage): void {
  const submit = async (table: Table, form: Failure['typed'], request: TableRequest) => {
    if ('leave' in form) {
      await tables.remove(table, await tables.findPerson(table, request), 'left');
      return null;
    }
    const contact = parseInput(joinTable.body.shape.contact, form);
    return tables.join(table, contact as Parameters<Tables['join']>[1], request);
  };

  void fastify.register(async (scope) => {
    const options = { parseAs: 'string', bodyLimit: OPEN_JSON_SIZE_BYTES_MAX } as const;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(FORM_TYPE, options, (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(typeof body === 'string' ? body : '')));
    });
    scope.post(tablePath(':table'), async (request: TableRequest, reply) => {
      const typed = (request.body ?? {}) as Failure['typed'];
      void reply.headers(PRIVATE_HEADERS);
      try {
        const table = await openTable(tables, request);
        const joined = await submit(table, typed, request);
        if (joined) void reply.header('set-cookie', tables.cookieOf(table, joined.key, request));
        return await reply.redirect(tablePath(table.id), SEE_OTHER);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        void reply.code(error.status);
        return sendPage(request, reply, { error: error.message, typed });
      }
    });
  });
}
