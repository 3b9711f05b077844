import { markContacted, saveTemplates, setReminder } from '#contract/follow-up.ts';
import { localTimeMs } from '#domain/local-time.ts';
import type { AppContext } from '#server/context.ts';
import { route } from '#server/http/route.ts';

import { updateContacted, updateReminder, writeTemplates } from './follow-up-store.ts';

/** A reminder is sent at nine in the morning. */
const REMINDER_HOUR = 9;

export function followUpRoutes(context: AppContext): void {
  const { database, clock } = context.dependencies;

  route(context, saveTemplates, async ({ caller: { userId }, body: { templates } }) => {
    await writeTemplates(database, userId, templates);
    return { templates };
  });

  route(context, markContacted, async ({ caller: { userId }, body: { contact } }) => {
    const now = clock.now();
    await updateContacted(database, { userId, contactId: contact, now });
    return { contactedAt: new Date(now).toISOString() };
  });

  route(context, setReminder, async ({ caller: { userId }, body: { contact, day, timeZone } }) => {
    const dueAt = day === null ? null : localTimeMs(day, REMINDER_HOUR, timeZone);
    // Nobody is told of what is past already.
    const isAhead = dueAt !== null && dueAt > clock.now();
    await updateReminder(database, {
      userId,
      contactId: contact,
      day,
      dueAt: isAhead ? dueAt : null,
    });
    return { reminderDay: day };
  });
}
