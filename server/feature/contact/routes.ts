import {
  CONTACT_COUNT_HEADER,
  HELD_CONTACTS_HEADER,
  WITHDRAWN_CONTACTS_HEADER,
  addContact,
  deleteHeldContacts,
  getContacts,
} from '#contract/contact.ts';
import type { Contact } from '#contract/contact.ts';
import { HONEYPOT } from '#domain/lead.ts';
import { receiptPath } from '#domain/path.ts';
import { sharedTilesSvg } from '#domain/shared-tile.ts';
import { createDatabaseLimiter } from '#server/adapter/database/database.ts';
import type { ReadPhone } from '#server/adapter/profile/phone.ts';
import { hasReceipts } from '#server/adapter/html/connect-notice.ts';
import type { Limiter } from '#server/http/limit.ts';
import { route } from '#server/http/route.ts';
import type { AppContext } from '#server/context.ts';
import { hashToken, newToken } from '#server/token.ts';

import { readContactPage } from './contacts.ts';
import type { StoredContact } from './contacts.ts';
import { DeniedKeys, contactRateLimits } from '#server/adapter/counter.ts';
import {
  createContactIdGenerator,
  LimitExceeded,
  countContacts,
  deleteHeld,
  insertContact,
  isDuplicateStored,
  listWithdrawals,
  tooManyContactsError,
} from './store.ts';

export function contactRoutes(context: AppContext): void {
  const { settings } = context;
  const { database, readPhone } = context.dependencies;
  // Requests that share a limit wait for the same counter anyway.
  const limiter = createDatabaseLimiter();

  route(context, getContacts, async ({ caller: { userId }, query, reply }) => {
    const page = { limit: query.limit, before: query.before, isHeld: query.held === 'true' };
    const isFirstPage = query.before === undefined;
    const [contacts, heldCount, withdrawn] = await Promise.all([
      readContactPage(database, userId, page),
      isFirstPage ? countContacts(database, { userId, isHeld: true }) : 0,
      isFirstPage && hasReceipts(settings) ? listWithdrawals(database, userId) : [],
    ]);
    if (isFirstPage && !page.isHeld && contacts.length === page.limit) {
      const count = await countContacts(database, { userId, isHeld: false });
      void reply.header(CONTACT_COUNT_HEADER, String(count));
    }
    if (withdrawn.length > 0) void reply.header(WITHDRAWN_CONTACTS_HEADER, withdrawn.join());
    if (heldCount > 0) void reply.header(HELD_CONTACTS_HEADER, String(heldCount));
    return contacts.map((one) => toContact(one, query.phones === 'true' ? readPhone : null));
  });

  deleteHeldRoute(context, limiter);

  addContactRoute(context, limiter);
}

function addContactRoute(context: AppContext, limiter: Limiter): void {
  const { settings } = context;
  const hasReceipt = hasReceipts(settings);
  const { database, clock, secret } = context.dependencies;
  const nextId = createContactIdGenerator();
  const deniedKeys = new DeniedKeys();

  route(context, addContact, async ({ body, request }) => {
    const now = clock.now();
    const { notice: seenNotice, ...lead } = body.contact;
    const notice = settings.connectNotice ? seenNotice : '';
    const userId = body.userID;
    // A password manager may have filled the honeypot in, so the contact is kept.
    const isRobot = [body[HONEYPOT], body.website].some(Boolean);
    const { client: address } = request;
    const rateLimits = contactRateLimits({ address, userId, lead, secret }, settings);
    const newContact = { id: nextId(now), userId, lead, isRobot, notice, now, rateLimits };
    const { refused, duplicate } = rateLimits;
    /** With receipts, a visitor may have withdrawn the details on another node, and can send them again. */
    const isStored = async () =>
      deniedKeys.waitMs([duplicate], now) > 0 &&
      (!hasReceipt || isDuplicateStored(database, duplicate, now));
    /** Throws ApiError 'too_many_requests' (429) if a limit refuses the contact. */
    const isDuplicate = async () => {
      if (await isStored()) return true;
      const waitMs = deniedKeys.waitMs(refused, now);
      if (waitMs > 0) throw tooManyContactsError(waitMs);
      return false;
    };
    const save = async () => {
      if (await isDuplicate()) return {};
      const token = hasReceipt ? newToken() : null;
      const receiptHash = token && hashToken(token);
      try {
        const queued = await insertContact(database, { ...newContact, receiptHash });
        if (queued.hasNotification) context.notificationQueue.wake(userId);
        if (queued.hasEvent) context.webhookQueue.wake(userId);
        context.live.announceConnected(userId, newContact.id);
        deniedKeys.add(new Map([[duplicate.key, duplicate.windowMs]]), now);
        const tile = sharedTilesSvg(userId, newContact.id);
        return token === null ? { tile } : { tile, receipt: receiptPath(token) };
      } catch (error) {
        if (!(error instanceof LimitExceeded)) throw error;
        const { waitsMs } = error;
        deniedKeys.add(waitsMs, now);
        if (waitsMs.has(duplicate.key)) return {};
        throw tooManyContactsError(Math.max(...waitsMs.values()));
      }
    };
    if (await isDuplicate()) return {};
    // The limiter always takes the IP address first and then the user. Another order could deadlock.
    return limiter.run(() => limiter.run(save, userId), address.prefix64);
  });
}

function toContact({ id, ...contact }: StoredContact, readPhone: ReadPhone | null): Contact {
  const phone = readPhone ? { phone: readPhone(contact.mobile) } : {};
  return { ...contact, _id: id, ...phone };
}

function deleteHeldRoute(context: AppContext, limiter: Limiter): void {
  const { dependencies, webhookQueue } = context;
  route(context, deleteHeldContacts, async ({ caller: { userId } }) => {
    const now = dependencies.clock.now();
    await limiter.run(() => deleteHeld(dependencies.database, userId, now), userId);
    webhookQueue.wake(userId);
    return {};
  });
}
