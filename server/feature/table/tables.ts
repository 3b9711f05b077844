import type { FastifyRequest } from 'fastify';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { CARD_BLOCKED_FOR_OWNER } from '#domain/blocked-card.ts';
import { displayName } from '#domain/display.ts';
import { SECOND_MS } from '#domain/duration.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { receiptPath } from '#domain/path.ts';
import { TABLE_PEOPLE_MAX } from '#domain/table.ts';
import type { ConnectNotice } from '#view/connect-notice.tsx';
import { createDatabaseLimiter } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { createConnectNotice } from '#server/adapter/html/connect-notice.ts';
import { usesHttps } from '#server/adapter/otp/store.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';
import { cookieHeader } from '#server/http/headers.ts';
import { createJoinRateLimits } from '#server/http/limit.ts';
import { readAuthorization } from '#server/http/route.ts';
import { hashToken } from '#server/token.ts';

import { deleteTable, deliverStatements } from './contacts.ts';
import { newKey, newPersonId, newTableId, ownerKey, readKey, receiptToken } from './key.ts';
import {
  findOverTables,
  findTable,
  insertPersonStatements,
  insertTable,
  isHere,
  markGone,
  returnNullIfEnded,
  tableEndedError,
} from './store.ts';
import type { Details, Person, Table } from './store.ts';

type NoticedLead = Lead & { readonly notice: string };
/** The user's id is null for a visitor. */
type Joining = NoticedLead & Pick<Person, 'designation' | 'userId'> & { readonly key: string };
type Joined = Pick<Joining, 'key'> & { readonly person: Person };
type Which = Parameters<typeof findTable>[1];

/** What people do at tables (docs/develop/product.md#table). */
export class Tables {
  readonly notice: ConnectNotice | null;
  readonly #context: AppContext;
  readonly #limits: ReturnType<typeof createJoinRateLimits>;
  /** The joins of a table run one at a time, so a whole room that joins at once needs only one connection. */
  readonly #joins = createDatabaseLimiter();

  constructor(context: AppContext) {
    this.#context = context;
    this.#limits = createJoinRateLimits(context.dependencies.clock);
    this.notice = createConnectNotice(context.settings, 'en');
  }

  /** Throws ApiError 'table_ended' (410) if there is no such table. Ends the table if it is over. Counts made-up links. */
  async open(which: Which, request: FastifyRequest): Promise<Table> {
    const table = await findTable(this.#database, which, this.#now());
    if (table && !table.isOver) return table;
    if (table) await this.end(table);
    if ('id' in which) this.#context.readRateLimit.countOrThrow(request.client.prefix64);
    throw tableEndedError();
  }

  async end(table: Pick<Table, 'id' | 'name'>): Promise<void> {
    const owners = await deleteTable(this.#database, table, this.#now()).catch(returnNullIfEnded);
    for (const userId of owners ?? []) this.#context.notificationQueue.wake(userId);
    this.announce(table);
  }

  /** Ends the tables that are over, and tells the people at the others what they have missed. */
  async check(): Promise<void> {
    for (const table of await findOverTables(this.#database, this.#now())) await this.end(table);
    await this.#context.tableStreams.tellMissed();
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
    // A blocked owner's table would end at once.
    await this.#findOwner(userId);
    const which = { starterId: userId };
    let table = await this.open(which, request).catch(returnNullIfEnded);
    if (table === null) {
      const newTable = { id: newTableId(), name, ...which };
      await insertTable(this.#database, newTable, this.#now());
      table = await this.open(which, request);
    }
    await this.#joinAsOwner(table, userId, request);
    return table;
  }

  /** Joins with these details, or with the card of the session if there are none. */
  async join(
    table: Table,
    lead: NoticedLead | undefined,
    request: FastifyRequest,
  ): Promise<Joined> {
    const known = await this.findPerson(table, request);
    if (known?.gone === 'removed') throw refusalOf(table, known);
    if (known && isHere(known)) return { person: known, key: this.keyOf(table, known, request) };
    if (lead === undefined) {
      const { userId } = await this.#context.sessions.authenticate(request);
      return this.#joinAsOwner(table, userId, request);
    }
    const key = known?.userId === null ? this.keyOf(table, known, request) : newKey();
    const notice = this.notice ? lead.notice : '';
    return this.#join(table, { ...lead, designation: '', userId: null, key, notice }, request);
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

  keyOf({ id }: Table, { userId }: Pick<Person, 'userId'>, request: FastifyRequest): string {
    if (userId === null) return readKey(id, request) ?? '';
    return ownerKey(this.#context.dependencies.secret, id, userId);
  }

  receiptOf(key: string | null): string | undefined {
    if (key === null || !this.notice?.hasReceipt) return undefined;
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

  async #joinAsOwner(table: Table, userId: string, request: FastifyRequest): Promise<Joined> {
    const details = await this.#findOwner(userId);
    const key = this.keyOf(table, { userId }, request);
    // The page on which an owner starts a table shows the notice only if it comes with a receipt.
    const isShown = this.notice?.hasReceipt || userId !== table.starterId;
    const notice = isShown ? this.notice?.version : undefined;
    return this.#join(table, { ...details, userId, key, notice: notice ?? '' }, request);
  }

  async #join(table: Table, joining: Joining, request: FastifyRequest): Promise<Joined> {
    this.#limits.ofAddress.countOrThrow(request.client.prefix64);
    this.#limits.ofTable.countOrThrow(table.id);
    const { secret, readPhone } = this.#context.dependencies;
    const { key, userId, mobile } = joining;
    const keyHash = hashToken(key);
    const identity = userId ?? keyHash;
    const now = this.#now();
    const person = {
      ...joining,
      id: newPersonId(now),
      identity,
      keyHash,
      phoneKey: readPhone(mobile).call ?? mobile,
      receiptHash: this.notice?.hasReceipt ? hashToken(receiptToken(secret, key)) : null,
    };
    const statements = [
      ...insertPersonStatements(table.id, person, now),
      ...deliverStatements({ table, identity, origin: this.originOf(request), now }),
    ];
    const [, , owners = []] = await this.#joins.run(
      () => this.#database.batch<{ userId: string }>(statements),
      table.id,
    );
    const joined = await this.open(table, request);
    const found = joined.people.find((one) => one.keyHash === keyHash);
    if (!found || !isHere(found)) throw refusalOf(joined, found);
    for (const owner of owners) this.#context.webhookQueue.wake(owner.userId);
    this.announce(table);
    return { key, person: found };
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
    [true, 'Someone with this mobile or email is at this table already.'],
  ] as const;
  const sentence = sentences.find(([applies]) => applies)?.[1] ?? '';
  return new ApiError('table_closed', sentence);
}
