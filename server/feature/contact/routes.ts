import {
  HELD_CONTACTS_HEADER,
  WITHDRAWN_CONTACTS_HEADER,
  addContact,
  deleteHeldContacts,
  getContacts,
} from '#contract/contact.ts';
import { receiptPath } from '#domain/path.ts';
import { createDatabaseLimiter } from '#server/adapter/database/limiter.ts';
import { hasReceipts } from '#server/adapter/html/connect-notice.ts';
import { addressPrefixes } from '#server/http/limit/address.ts';
import { route } from '#server/http/route.ts';
import type { AppContext } from '#server/context.ts';
import { hashToken, newToken } from '#server/token.ts';

import { readContactPage } from './contacts.ts';
import { DeniedKeys, contactRateLimits } from './rate-limit.ts';
import { createContactIdGenerator } from './id.ts';
import {
  LimitExceeded,
  countContacts,
  deleteHeld,
  insertContact,
  listWithdrawals,
  tooManyContacts,
} from './store.ts';

export function contactRoutes(context: AppContext): void {
  const { settings } = context;
  const { database, clock, secret } = context.dependencies;
  const nextId = createContactIdGenerator();
  const deniedKeys = new DeniedKeys();
  // Requests that share a limit wait for the same counter anyway.
  const limiter = createDatabaseLimiter();

  route(context, getContacts, async ({ caller: { userId }, query, reply }) => {
    const page = { limit: query.limit, before: query.before, isHeld: query.held === 'true' };
    const isFirst = query.before === undefined;
    const [contacts, heldCount, withdrawn] = await Promise.all([
      readContactPage(database, userId, page),
      isFirst ? countContacts(database, { userId, isHeld: true }) : 0,
      isFirst && hasReceipts(settings) ? listWithdrawals(database, userId) : [],
    ]);
    if (withdrawn.length > 0) void reply.header(WITHDRAWN_CONTACTS_HEADER, withdrawn.join());
    if (heldCount > 0) void reply.header(HELD_CONTACTS_HEADER, String(heldCount));
    return contacts.map(({ id, ...contact }) => ({ _id: id, ...contact }));
  });

  route(context, deleteHeldContacts, async ({ caller: { userId } }) => {
    await limiter.run(() => deleteHeld(database, userId), userId);
    return {};
  });

  route(context, addContact, async ({ body, request }) => {
    // Only bots fill in the honeypot. They get the reply of a success.
    if (body.website) return {};
    const now = clock.now();
    const { notice: seenNotice, ...lead } = body.contact;
    const notice = settings.connectNotice ? seenNotice : '';
    const userId = body.userID;
    const address = addressPrefixes(request.ip);
    const rateLimits = contactRateLimits({ address, userId, lead, secret }, settings);

    const { refused, duplicate } = rateLimits;
    /** Throws ApiError 'too_many_requests' (429) for a refused contact. */
    const isDuplicate = () => {
      if (deniedKeys.waitMs([duplicate], now) > 0) return true;
      const waitMs = deniedKeys.waitMs(refused, now);
      if (waitMs > 0) throw tooManyContacts(waitMs);
      return false;
    };
    const save = async () => {
      if (isDuplicate()) return {};
      const token = hasReceipts(settings) ? newToken() : null;
      const receiptHash = token && hashToken(token);
      try {
        const contact = { id: nextId(now), userId, lead, notice, receiptHash, now, rateLimits };
        const { hasNotification, hasEvent } = await insertContact(database, contact);
        if (hasNotification) context.notificationQueue.wake(userId);
        if (hasEvent) context.webhookQueue.wake(userId);
        context.live.connected(userId, contact.id);
        deniedKeys.add(new Map([[duplicate.key, duplicate.windowMs]]), now);
        return token === null ? {} : { receipt: receiptPath(token) };
      } catch (error) {
        if (!(error instanceof LimitExceeded)) throw error;
        deniedKeys.add(error.waitsMs, now);
        isDuplicate();
        return {};
      }
    };
    if (isDuplicate()) return {};
    // Always address first, then user: another order could deadlock.
    return limiter.run(() => limiter.run(save, userId), address.prefix64);
  });
}
