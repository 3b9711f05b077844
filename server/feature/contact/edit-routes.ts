import { editContact, saveNote, saveTags, saveTemplates } from '#contract/contacts-view.ts';
import type { Endpoint, Reply } from '#contract/endpoint.ts';
import { NOTE_LENGTH_MAX, TAGS_MAX, mergeLists, mergeNotes } from '#domain/contact.ts';
import { TEMPLATES_MAX } from '#domain/follow-up.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { createDatabaseLimiter } from '#server/adapter/database/database.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError } from '#server/error.ts';
import { createOwnerRateLimit } from '#server/http/limit.ts';
import { route } from '#server/http/route.ts';
import type { Call } from '#server/http/route.ts';

import {
  findContact,
  readTemplates,
  updateColumns,
  updateDetails,
  updateTags,
  writeTemplates,
} from './contacts-view-store.ts';

const NOTE_TOO_LONG = `Another device has changed this note. Both texts together can have up to ${NOTE_LENGTH_MAX} characters, so shorten yours.`;
const TOO_MANY_TEMPLATES = `Another device has added templates. You can have up to ${TEMPLATES_MAX}, so remove one of yours.`;

/** Registers the calls that keep what another device has stored since the page loaded `base`. */
export function editRoutes(context: AppContext, changeRoute: ChangeRoute): void {
  const { database, clock, readPhone } = context.dependencies;

  changeRoute(saveNote, async ({ caller: { userId }, body: { contact, note: typed, base } }) => {
    const key = { userId, contactId: contact };
    const stored = await findContact(database, key);
    const note = mergeNotes(typed, base ?? stored.note, stored.note);
    if (note.length > NOTE_LENGTH_MAX) throw new ApiError('invalid_input', NOTE_TOO_LONG);
    await updateColumns(database, key, { note });
    return { note };
  });

  changeRoute(saveTags, async ({ caller: { userId }, body: { contact, tags: chosen, base } }) => {
    const key = { userId, contactId: contact };
    const stored = await findContact(database, key);
    const tags = mergeLists(chosen, base ?? stored.tags, stored.tags).slice(0, TAGS_MAX);
    await updateTags(database, { ...key, tags, now: clock.now() });
    context.webhookQueue.wake(userId);
    return { tags };
  });

  changeRoute(editContact, async ({ caller: { userId }, body: { contact, details, base } }) => {
    const key = { userId, contactId: contact };
    const stored = await findContact(database, key);
    const changed = Object.entries(details).filter(
      ([name, text]) => base?.[name as keyof Lead] !== text,
    );
    const merged = { ...stored, ...Object.fromEntries(changed) };
    const edited = await updateDetails(database, { ...key, details: merged, now: clock.now() });
    context.webhookQueue.wake(userId);
    return { ...edited, phone: readPhone(edited.mobile) };
  });

  changeRoute(saveTemplates, async ({ caller: { userId }, body: { templates: typed, base } }) => {
    const stored = await readTemplates(database, userId);
    const templates = mergeLists(typed, base ?? stored, stored);
    if (templates.length > TEMPLATES_MAX) throw new ApiError('invalid_input', TOO_MANY_TEMPLATES);
    await writeTemplates(database, userId, templates);
    return { templates };
  });
}

export type ChangeRoute = ReturnType<typeof createChangeRoute>;

/** Returns a function that registers a call. The calls of one owner run one after the other. */
export function createChangeRoute(context: AppContext) {
  const limiter = createDatabaseLimiter();
  const { clock } = context.dependencies;
  const largeBodyLimit = createOwnerRateLimit(clock, 'bodies of contacts above 2,048 bytes');
  return <const E extends Endpoint>(endpoint: E, run: (call: Call<E>) => Promise<Reply<E>>) =>
    route({ ...context, largeBodyLimit }, endpoint, (call) =>
      limiter.run(() => run(call), call.request.caller?.userId ?? ''),
    );
}
