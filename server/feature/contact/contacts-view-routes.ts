import { Readable } from 'node:stream';

import {
  CONTACTS_PER_PAGE,
  addContacts,
  changeContacts,
  checkContacts,
  contactFile,
  deleteContact,
  findContacts,
  markContacted,
  openHeld,
  restoreContact,
  setReminder,
} from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { RESTORE_MS, UNDO_MS } from '#domain/contact.ts';
import { reminderTimeMs } from '#domain/local-time.ts';
import { deleteInBatches } from '#server/adapter/database/cleanup.ts';
import { createDatabaseLimiter } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { AppContext } from '#server/context.ts';
import { createOwnerRateLimit } from '#server/http/limit.ts';
import { route } from '#server/http/route.ts';

import { findKnownContacts, insertOwnContacts } from './added.ts';
import { writeContactVcard } from './contact-export.ts';
import type { StoredContact } from './contacts.ts';
import {
  addTag,
  findContact,
  findToDo,
  hasSubscription,
  markOpened,
  moveToDeleted,
  readTemplates,
  restoreDeleted,
  updateColumns,
} from './contacts-view-store.ts';
import { createChangeRoute, editRoutes } from './edit-routes.ts';
import type { ChangeRoute } from './edit-routes.ts';
import { exportRoutes } from './export-routes.ts';
import { countHeld, countTags, findPage } from './find.ts';
import { createContactIdGenerator, countContacts, listWithdrawals } from './store.ts';

/** Registers the calls of the Contacts view (docs/develop/product.md#contacts-view). */
export function contactsViewRoutes(context: AppContext): void {
  const { database, clock, readPhone } = context.dependencies;
  const nextId = createContactIdGenerator();
  const changeRoute = createChangeRoute(context);
  findContactsRoute(context);
  exportRoutes(context);
  editRoutes(context, changeRoute);
  followUpRoutes(context, changeRoute);

  changeRoute(addContacts, async ({ caller: { userId }, body: { contacts } }) => {
    const added = await insertOwnContacts(database, { userId, contacts, now: clock.now(), nextId });
    context.webhookQueue.wake(userId);
    return { contacts: added };
  });

  changeRoute(checkContacts, async ({ caller: { userId }, body: { contacts } }) => {
    const compared = { userId, contacts, countries: context.settings.otpCountries };
    return findKnownContacts(database, compared, readPhone);
  });

  changeRoute(openHeld, async ({ caller: { userId }, body: { contact } }) => {
    await markOpened(database, { userId, contactId: contact, now: clock.now() });
    context.webhookQueue.wake(userId);
    return {};
  });

  changeRoute(deleteContact, async ({ caller: { userId }, body: { contact } }) => {
    await moveToDeleted(database, { userId, contactId: contact, now: clock.now() });
    afterDeletion(context, userId);
    return {};
  });

  changeRoute(restoreContact, async ({ caller: { userId }, body: { contact } }) => {
    await restoreDeleted(database, { userId, contactId: contact, now: clock.now() });
    context.webhookQueue.wake(userId);
    return {};
  });

  route(context, contactFile, async ({ caller: { userId }, query }) => {
    const contact = await findContact(database, { userId, contactId: query.contact });
    return Readable.from([writeContactVcard(contact, readPhone)]);
  });
}

function followUpRoutes(context: AppContext, changeRoute: ChangeRoute): void {
  const { database, clock } = context.dependencies;

  changeRoute(markContacted, async ({ caller: { userId }, body: { contact } }) => {
    const now = clock.now();
    await updateColumns(database, { userId, contactId: contact }, { contacted_at: now });
    return { contactedAt: new Date(now).toISOString() };
  });

  changeRoute(setReminder, async ({ caller: { userId }, body: { contact, day, timeZone } }) => {
    const reminder = {
      reminder_day: day,
      reminder_at: day && reminderTimeMs(day, timeZone, clock.now()),
    };
    await updateColumns(database, { userId, contactId: contact }, reminder);
    return { reminderDay: day };
  });

  changeRoute(changeContacts, async ({ caller: { userId }, body }) => {
    const { contacts, tag, delete: isDeleted } = body;
    const key = { userId, contactId: contacts, now: clock.now() };
    if (isDeleted === false) await restoreDeleted(database, key);
    const changed = tag ? await addTag(database, { ...key, tag }) : contacts;
    if (isDeleted) await moveToDeleted(database, key);
    if (isDeleted) afterDeletion(context, userId);
    context.webhookQueue.wake(userId);
    return { contacts: changed };
  });
}

/**
 * Sends the event when 'Undo' ends, and removes the contacts when they can no longer be restored. If the
 * server restarts before that, the queue and the hourly cleanup do both.
 */
function afterDeletion({ dependencies, webhookQueue }: AppContext, userId: string): void {
  const { database, clock, log } = dependencies;
  const purge = () =>
    deleteInBatches(database, {
      table: 'deleted_contacts',
      key: 'id',
      condition: sql`deleted_at <= ${clock.now() - RESTORE_MS}`,
    }).catch((error: unknown) => log.warn({ err: error }, 'deleted contacts were not removed'));
  setTimeout(() => webhookQueue.wake(userId), UNDO_MS).unref();
  setTimeout(() => void purge(), RESTORE_MS).unref();
}

function findContactsRoute(context: AppContext): void {
  const { database, clock, readPhone } = context.dependencies;
  // Each owner's searches run one at a time, so that fast typing does not occupy the database.
  const searches = createDatabaseLimiter();
  const rateLimit = createOwnerRateLimit(clock, 'searches of the Contacts view');
  const toReply = (contact: StoredContact): OwnContact => ({
    ...toOwnContact(contact),
    phone: readPhone(contact.mobile),
  });

  route(context, findContacts, async ({ caller: { userId }, body }) => {
    if (body.search || body.tag) rateLimit.countOrThrow(userId);
    const { search, tag, order, held: isHeld } = body;
    const contactQuery = { userId, search, tag, order, isHeld };
    const isFirstPage = body.after === undefined && !body.held;
    return searches.run(async () => {
      const range = { limit: CONTACTS_PER_PAGE, after: body.after };
      const { contacts, next } = await findPage(database, contactQuery, range);
      return {
        contacts: contacts.map(toReply),
        next,
        heldCount: isFirstPage ? await countHeld(database, contactQuery) : 0,
        count: isFirstPage && search === '' ? await countContacts(database, contactQuery) : 0,
        tags: isFirstPage ? await countTags(database, userId) : [],
        toDo: isFirstPage ? (await findToDo(database, userId)).map(toReply) : [],
        templates: isFirstPage ? await readTemplates(database, userId) : [],
        hasPush: isFirstPage && (await hasSubscription(database, userId)),
        withdrawn: isFirstPage ? await listWithdrawals(database, userId) : [],
        keepDays: context.settings.contactKeepDays,
      };
    }, userId);
  });
}

function toOwnContact(contact: StoredContact) {
  const { id, createdAt, contactedAt, isHeld: _, ...texts } = contact;
  return {
    ...texts,
    _id: id,
    receivedAt: new Date(createdAt).toISOString(),
    contactedAt: contactedAt === null ? null : new Date(contactedAt).toISOString(),
  };
}
