import { Readable } from 'node:stream';

import {
  CONTACTS_PER_PAGE,
  addContacts,
  checkContacts,
  contactFile,
  deleteContact,
  editContact,
  findContacts,
  restoreContact,
  saveNote,
  saveTags,
} from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import type { AppContext } from '#server/context.ts';
import { createDatabaseLimiter } from '#server/adapter/database/limiter.ts';
import { createOwnerRateLimit } from '#server/http/limit/rate-limit.ts';
import { route } from '#server/http/route.ts';
import { writeContactVcard } from './contact-export.ts';
import type { StoredContact } from './contacts.ts';

import { findKnown, insertAdded } from './added.ts';
import { followUpRoutes } from './follow-up-routes.ts';
import { findToDo, hasSubscription, readTemplates } from './follow-up-store.ts';
import { exportRoutes } from './export-routes.ts';
import { countHeld, countTags, findPage } from './find.ts';
import { createContactIdGenerator } from './id.ts';
import { createPurge } from './purge.ts';
import { countContacts } from './store.ts';
import {
  findContact,
  moveToDeleted,
  restore,
  updateDetails,
  updateNote,
  updateTags,
} from './contacts-view-store.ts';

/** docs/product.md#contacts-view. */
export function contactsViewRoutes(context: AppContext): void {
  const { database, clock } = context.dependencies;
  const schedulePurge = createPurge(context);
  const changes = createDatabaseLimiter();
  const nextId = createContactIdGenerator();
  findRoute(context);

  route(context, addContacts, async ({ caller: { userId }, body: { contacts } }) => {
    const add = () => insertAdded(database, { userId, contacts, now: clock.now(), nextId });
    const added = await changes.run(add, userId);
    context.webhookQueue.wake(userId);
    return { contacts: added };
  });

  route(context, checkContacts, async ({ caller: { userId }, body: { contacts } }) => {
    const countries = context.settings.otpCountries;
    const find = () => findKnown(database, { userId, contacts, countries });
    return { known: await changes.run(find, userId) };
  });

  route(context, saveNote, async ({ caller: { userId }, body: { contact, note } }) => {
    await changes.run(() => updateNote(database, { userId, contactId: contact, note }), userId);
    return { note };
  });

  route(context, saveTags, async ({ caller: { userId }, body: { contact, tags } }) => {
    const change = { userId, contactId: contact, tags, now: clock.now() };
    await changes.run(() => updateTags(database, change), userId);
    context.webhookQueue.wake(userId);
    return { tags };
  });

  route(context, editContact, async ({ caller: { userId }, body: { contact, details } }) => {
    const change = { userId, contactId: contact, details, now: clock.now() };
    const edited = await changes.run(() => updateDetails(database, change), userId);
    context.webhookQueue.wake(userId);
    return toReply(edited);
  });

  route(context, deleteContact, async ({ caller: { userId }, body: { contact } }) => {
    await changes.run(
      () => moveToDeleted(database, { userId, contactId: contact, now: clock.now() }),
      userId,
    );
    schedulePurge();
    return {};
  });

  route(context, restoreContact, async ({ caller: { userId }, body: { contact } }) => {
    await changes.run(() => restore(database, { userId, contactId: contact }), userId);
    return {};
  });

  route(context, contactFile, async ({ caller: { userId }, query }) => {
    const contact = await findContact(database, { userId, contactId: query.contact });
    return Readable.from([writeContactVcard(contact)]);
  });

  exportRoutes(context);
  followUpRoutes(context);
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
        keepDays: context.settings.contactKeepDays,
      };
    }, userId);
  });
}

function toReply(contact: StoredContact): OwnContact {
  const { id, createdAt, contactedAt, isHeld: _, tags, ...texts } = contact;
  const receivedAt = new Date(createdAt).toISOString();
  return {
    ...texts,
    _id: id,
    receivedAt,
    contactedAt: contactedAt === null ? null : new Date(contactedAt).toISOString(),
    tags: [...tags],
  };
}
