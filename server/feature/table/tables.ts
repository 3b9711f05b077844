import type { FastifyRequest } from 'fastify';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { CARD_BLOCKED_FOR_OWNER } from '#domain/blocked-card.ts';
import { displayName } from '#domain/display.ts';
import { SECOND_MS } from '#domain/duration.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { receiptPath } from '#domain/path.ts';
import { TABLE_PEOPLE_MAX } from '#domain/table.ts';
import { UniqueViolation } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { createConnectNotice, hasReceipts } from '#server/adapter/html/connect-notice.ts';
import { usesHttps } from '#server/adapter/otp/store.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';
import { cookieHeader } from '#server/http/headers.ts';
import { createJoinRateLimits } from '#server/http/limit.ts';
import { readAuthorization } from '#server/http/route.ts';
import { hashToken } from '#server/token.ts';

import { deleteTable, deliverContacts } from './delivery.ts';
import { newKey, newTableId, ownerKey, readKey, receiptToken } from './key.ts';
import {
  findOverTables,
  findTable,
  findTableOf,
  insertPerson,
  insertTable,
  isHere,
  markGone,
  tableEndedError,
} from './store.ts';
import type { Details, Person, Table } from './store.ts';

interface Joining extends Details {
  /** Null for a visitor. */
  readonly userId: string | null;
  readonly key: string;
  readonly notice: string;
}

/** What people do at tables (docs/develop/product.md#table). */
export class Tables {
  readonly #context: AppContext;
  readonly #limits: ReturnType<typeof createJoinRateLimits>;
  readonly #noticeVersion: string;

  constructor(context: AppContext) {
    this.#context = context;
    this.#limits = createJoinRateLimits(context.dependencies.clock);
    this.#noticeVersion = createConnectNotice(context.settings, 'en')?.version ?? '';
  }

  /** Ends the table if it is over. Throws ApiError 'table_ended' (410). */
  async open(id: string, request: FastifyRequest): Promise<Table> {
    const table = await findTable(this.#database, id, this.#now());
    if (table?.isOver) await this.end(table, this.originOf(request));
    else if (table) return table;
    this.#context.readRateLimit.countOrThrow(request.client.prefix64);
    throw tableEndedError();
  }

  /** Returns the table that an owner has started. Throws ApiError 'table_ended' (410) if there is none. */
  async openOf(userId: string, request: FastifyRequest): Promise<Table> {
    const id = await findTableOf(this.#database, userId);
    if (id === null) throw tableEndedError();
    return this.open(id, request);
  }

  async end(table: Table, origin: string): Promise<void> {
    // A node that stopped after somebody had joined may have left contacts out.
    await this.#deliver(table, { origin });
    const owners = await deleteTable(this.#database, table, this.#now());
    for (const userId of owners) this.#context.notificationQueue.wake(userId);
    this.announce(table);
  }

  /** Ends the tables that are over. */
  async endAll(): Promise<void> {
    for (const id of await findOverTables(this.#database, this.#now())) {
      const table = await findTable(this.#database, id, this.#now());
      if (table?.isOver) await this.end(table, this.#context.settings.publicUrl ?? '');
    }
  }

  /** Returns the person whose cookie or session the request carries, even if that person has left or was removed. */
  async findPerson(table: Table, request: FastifyRequest): Promise<Person | null> {
    const key = readKey(table.id, request);
    const keyHash = key === null ? null : hashToken(key);
    const byKey = table.people.find((person) => person.keyHash === keyHash);
    if (byKey || readAuthorization(request) === null) return byKey ?? null;
    const caller = await this.#context.sessions.authenticate(request).catch(() => null);
    return caller && (table.people.find(({ userId }) => userId === caller.userId) ?? null);
  }

  /** Starts a table with its owner. An owner has one at a time, so a running one is returned. */
  async start(userId: string, name: string, request: FastifyRequest): Promise<Table> {
    await this.#findOwner(userId);
    const id = newTableId();
    // A table that is over must be ended first, because an owner can have only one.
    await this.openOf(userId, request).catch(() => null);
    try {
      await insertTable(this.#database, { id, userId, name, now: this.#now() });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
    }
    const table = await this.openOf(userId, request);
    if (!table.people.some((person) => person.userId === userId && isHere(person)))
      await this.joinAsOwner(table, userId, request);
    return table;
  }

  async joinAsOwner(table: Table, userId: string, request: FastifyRequest) {
    await this.#findUnlessRemoved(table, request);
    const details = await this.#findOwner(userId);
    const key = this.ownerKey(table, userId);
    // The page on which a table is started has no notice.
    const notice = userId === table.starterId ? '' : this.#noticeVersion;
    const joining = { ...details, userId, key, notice };
    return { key, person: await this.#join(table, joining, request) };
  }

  async joinAsVisitor(table: Table, lead: Lead & { notice: string }, request: FastifyRequest) {
    const known = await this.#findUnlessRemoved(table, request);
    if (known?.userId && isHere(known)) return this.joinAsOwner(table, known.userId, request);
    const own = known?.userId === null ? readKey(table.id, request) : null;
    const key = own ?? newKey();
    const notice = this.#context.settings.connectNotice ? lead.notice : '';
    const joining = { ...lead, designation: '', userId: null, key, notice };
    return { key, person: await this.#join(table, joining, request) };
  }

  async remove(table: Table, person: Person | null, gone: 'left' | 'removed'): Promise<void> {
    // The starter's own card stays, because the table is theirs.
    if (person === null || person.userId === table.starterId) return;
    await markGone(this.#database, person.id, gone);
    this.announce(table);
  }

  announce({ id }: Pick<Table, 'id'>): void {
    this.#context.tableStreams.announce(id);
  }

  ownerKey({ id }: Table, userId: string): string {
    return ownerKey(this.#context.dependencies.secret, id, userId);
  }

  receiptOf(key: string | null): string | undefined {
    if (key === null || !hasReceipts(this.#context.settings)) return undefined;
    return receiptPath(receiptToken(this.#context.dependencies.secret, key));
  }

  cookieOf({ id, endsAt }: Table, key: string, request: FastifyRequest): string {
    return cookieHeader({
      name: BROWSER_STORAGE.cookies.table + id,
      value: key,
      path: '/',
      lifeSeconds: Math.max(0, Math.ceil((endsAt - this.#now()) / SECOND_MS)),
      secure: usesHttps(request, this.#context.settings.publicUrl),
    });
  }

  originOf(request: FastifyRequest): string {
    return this.#context.settings.publicUrl ?? request.client.origin ?? '';
  }

  /** Throws ApiError 'table_closed' if the request has the key or the session of somebody who was removed. */
  async #findUnlessRemoved(table: Table, request: FastifyRequest): Promise<Person | null> {
    const person = await this.findPerson(table, request);
    if (person?.gone === 'removed') throw refusalOf(table, person);
    return person;
  }

  async #join(table: Table, joining: Joining, request: FastifyRequest): Promise<Person> {
    this.#limits.ofAddress.countOrThrow(request.client.prefix64);
    this.#limits.ofTable.countOrThrow(table.id);
    const { secret, readPhone } = this.#context.dependencies;
    const { key, ...details } = joining;
    const keyHash = hashToken(key);
    const hasReceipt = hasReceipts(this.#context.settings);
    await insertPerson(this.#database, {
      ...details,
      id: newTableId(),
      table: table.id,
      keyHash,
      joinedAt: this.#now(),
      phoneKey: readPhone(details.mobile).call ?? details.mobile,
      receiptHash: hasReceipt ? hashToken(receiptToken(secret, key)) : null,
    });
    const joined = await this.open(table.id, request);
    const person = joined.people.find((one) => one.keyHash === keyHash);
    if (!person || !isHere(person)) throw refusalOf(joined, person);
    await this.#deliver(joined, { origin: this.originOf(request), joined: person.id });
    this.announce(table);
    return person;
  }

  async #deliver(table: Table, delivery: { origin: string; joined?: string }): Promise<void> {
    const owners = await deliverContacts(this.#database, table, { ...delivery, now: this.#now() });
    for (const userId of owners) this.#context.webhookQueue.wake(userId);
  }

  async #findOwner(userId: string): Promise<Details> {
    const row = await this.#database.one<Details & { blockedAt: number | null }>(sql`
      SELECT name, designation, company_name AS "companyName", phone AS mobile, email,
        blocked_at AS "blockedAt" FROM users WHERE id = ${userId}`);
    if (row === null) throw sessionInvalidError();
    const { blockedAt, ...details } = row;
    if (blockedAt !== null) throw new ApiError('card_blocked', CARD_BLOCKED_FOR_OWNER);
    return { ...details, name: displayName(details) };
  }

  get #database() {
    return this.#context.dependencies.database;
  }

  #now(): number {
    return this.#context.dependencies.clock.now();
  }
}

function refusalOf(table: Table, person: Person | undefined): ApiError {
  const isFull = table.people.filter(isHere).length >= TABLE_PEOPLE_MAX;
  const sentences = [
    [person !== undefined, "You were removed from this table, so you can't join again."],
    [!table.isOpen, "This table doesn't let new people join."],
    [isFull, `This table is full. It holds ${TABLE_PEOPLE_MAX} people.`],
  ] as const;
  const sentence = sentences.find(([applies]) => applies)?.[1];
  return new ApiError(
    'table_closed',
    sentence ?? 'Someone with this mobile or email is at this table already.',
  );
}
