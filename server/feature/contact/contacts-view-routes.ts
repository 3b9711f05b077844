import { Readable } from 'node:stream';

import {
  CONTACTS_PER_PAGE,
  addContacts,
  changeContacts,
  checkContacts,
  contactFile,
  deleteContact,
  editContact,
  findContacts,
  markContacted,
  openHeld,
  restoreContact,
  saveNote,
  saveTags,
  saveTemplates,
  setReminder,
} from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import type { Endpoint, Reply } from '#contract/endpoint.ts';
import { RESTORE_MS, UNDO_MS } from '#domain/contact.ts';
import { localTimeMs } from '#domain/local-time.ts';
import { deleteInBatches } from '#server/adapter/database/cleanup.ts';
import { createDatabaseLimiter } from '#server/adapter/database/limiter.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { AppContext } from '#server/context.ts';
import { createOwnerRateLimit } from '#server/http/limit/rate-limit.ts';
import { route } from '#server/http/route.ts';
import type { Call } from '#server/http/route.ts';

import { findKnown, insertAdded } from './added.ts';
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
  restore,
  updateColumns,
  updateDetails,
  updateTags,
  writeTemplates,
} from './contacts-view-store.ts';
import { exportRoutes } from './export-routes.ts';
import { countHeld, countTags, findPage } from './find.ts';
import { createContactIdGenerator } from './id.ts';
import { countContacts, listWithdrawals } from './store.ts';

/** A reminder is sent at nine in the morning. */
const REMINDER_HOUR = 9;

/** docs/product.md#contacts-view. */
export function contactsViewRoutes(context: AppContext): void {
  const { database, clock } = context.dependencies;
  const nextId = createContactIdGenerator();
  const change = createChange(context);
  findRoute(context);
  exportRoutes(context);
  followUpRoutes(context, change);

  change(addContacts, async ({ caller: { userId }, body: { contacts } }) => {
    const added = await insertAdded(database, { userId, contacts, now: clock.now(), nextId });
    context.webhookQueue.wake(userId);
    return { contacts: added };
  });

  change(checkContacts, async ({ caller: { userId }, body: { contacts } }) => {
    const countries = context.settings.otpCountries;
    return { known: await findKnown(database, { userId, contacts, countries }) };
  });

  change(saveNote, async ({ caller: { userId }, body: { contact, note } }) => {
    await updateColumns(database, { userId, contactId: contact }, { note });
    return { note };
  });

  change(saveTags, async ({ caller: { userId }, body: { contact, tags } }) => {
    await updateTags(database, { userId, contactId: contact, tags, now: clock.now() });
    context.webhookQueue.wake(userId);
    return { tags };
  });

  change(editContact, async ({ caller: { userId }, body: { contact, details } }) => {
    const edit = { userId, contactId: contact, details, now: clock.now() };
    const edited = await updateDetails(database, edit);
    context.webhookQueue.wake(userId);
    return edited;
  });

  change(openHeld, async ({ caller: { userId }, body: { contact } }) => {
    await markOpened(database, { userId, contactId: contact, now: clock.now() });
    context.webhookQueue.wake(userId);
    return {};
  });

  change(deleteContact, async ({ caller: { userId }, body: { contact } }) => {
    await moveToDeleted(database, { userId, contactId: contact, now: clock.now() });
    afterDeletion(context, userId);
    return {};
  });

  change(restoreContact, async ({ caller: { userId }, body: { contact } }) => {
    await restore(database, { userId, contactId: contact, now: clock.now() });
    context.webhookQueue.wake(userId);
    return {};
  });

  route(context, contactFile, async ({ caller: { userId }, query }) => {
    const contact = await findContact(database, { userId, contactId: query.contact });
    return Readable.from([writeContactVcard(contact)]);
  });
}

function followUpRoutes(context: AppContext, change: Change): void {
  const { database, clock } = context.dependencies;

  change(markContacted, async ({ caller: { userId }, body: { contact } }) => {
    const now = clock.now();
    await updateColumns(database, { userId, contactId: contact }, { contacted_at: now });
    return { contactedAt: new Date(now).toISOString() };
  });

  change(setReminder, async ({ caller: { userId }, body: { contact, day, timeZone } }) => {
    const dueAt = day === null ? null : localTimeMs(day, REMINDER_HOUR, timeZone);
    // Nobody is told of what is past already.
    const isAhead = dueAt !== null && dueAt > clock.now();
    const reminder = { reminder_day: day, reminder_at: isAhead ? dueAt : null };
    await updateColumns(database, { userId, contactId: contact }, reminder);
    return { reminderDay: day };
  });

  change(changeContacts, async ({ caller: { userId }, body }) => {
    const { contacts, tag, delete: isDeleted } = body;
    const key = { userId, contactId: contacts, now: clock.now() };
    if (isDeleted === false) await restore(database, key);
    const changed = tag ? await addTag(database, { ...key, tag }) : contacts;
    if (isDeleted) await moveToDeleted(database, key);
    if (isDeleted) afterDeletion(context, userId);
    context.webhookQueue.wake(userId);
    return { contacts: changed };
  });

  change(saveTemplates, async ({ caller: { userId }, body: { templates } }) => {
    await writeTemplates(database, userId, templates);
    return { templates };
  });
}

type Change = ReturnType<typeof createChange>;

/** Registers calls that run one after the other for an owner. */
function createChange(context: AppContext) {
  const limiter = createDatabaseLimiter();
  const { clock } = context.dependencies;
  const largeBodyLimit = createOwnerRateLimit(clock, 'bodies of contacts above 2,048 bytes');
  return <const E extends Endpoint>(endpoint: E, run: (call: Call<E>) => Promise<Reply<E>>) =>
    route({ ...context, largeBodyLimit }, endpoint, (call) =>
      limiter.run(() => run(call), call.request.caller?.userId ?? ''),
    );
}

/**
 * Sends the event when 'Undo' ends, and removes what can no longer be restored; after a restart the queue
 * and the hourly cleanup do it.
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

function findRoute(context: AppContext): void {
  const { database, clock } = context.dependencies;
  // One search of an owner at a time, so that fast typing does not occupy the database.
  const searches = createDatabaseLimiter();
  const rateLimit = createOwnerRateLimit(clock, 'searches of the Contacts view');

  route(context, findContacts, async ({ caller: { userId }, body }) => {
    if (body.search || body.tag) rateLimit.countOrThrow(userId);
    const { search, tag, order, held: isHeld } = body;
    const contactQuery = { userId, search, tag, order, isHeld };
    const isFirst = body.after === undefined && !body.held;
    return searches.run(async () => {
      const range = { limit: CONTACTS_PER_PAGE, after: body.after };
      const { contacts, next } = await findPage(database, contactQuery, range);
      return {
        contacts: contacts.map(toReply),
        next,
        heldCount: isFirst ? await countHeld(database, contactQuery) : 0,
        count: isFirst && search === '' ? await countContacts(database, contactQuery) : 0,
        tags: isFirst ? await countTags(database, userId) : [],
        toDo: isFirst ? (await findToDo(database, userId)).map(toReply) : [],
        templates: isFirst ? await readTemplates(database, userId) : [],
        hasPush: isFirst && (await hasSubscription(database, userId)),
        withdrawn: isFirst ? await listWithdrawals(database, userId) : [],
        keepDays: context.settings.contactKeepDays,
      };
    }, userId);
  });
}

function toReply(contact: StoredContact): OwnContact {
  const { id, createdAt, contactedAt, isHeld: _, ...texts } = contact;
  return {
    ...texts,
    _id: id,
    receivedAt: new Date(createdAt).toISOString(),
    contactedAt: contactedAt === null ? null : new Date(contactedAt).toISOString(),
  };
}
