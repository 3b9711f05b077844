import { tidyLead } from '#domain/contact.ts';
import { addContact, getContacts } from '#contract/contact.ts';
import { addressKey } from '#server/http/address.ts';
import { Fault } from '#server/http/fault.ts';
import { route } from '#server/http/route.ts';
import type { House } from '#server/http/route.ts';

import { UsedUp, contactAllowances } from './flood.ts';
import type { ContactAllowances } from './flood.ts';
import { contactIdMaker } from './id.ts';
import { NotKept, keepContact, listContacts } from './store.ts';
import { Turns } from './turn.ts';

const SECOND_MS = 1000;

export function contactRoutes(house: House): void {
  const { database, clock } = house.parts;
  const nextId = contactIdMaker();
  const usedUp = new UsedUp();
  const turns = new Turns();

  route(house, getContacts, ({ caller, query }) => listContacts(database, caller.userId, query));

  route(house, addContact, async ({ body, request }) => {
    // Only a robot fills in what people do not see; it is told that all went well.
    if (body.website) return {};
    const now = clock.now();
    const lead = tidyLead(body.contact);
    const userId = body.userID;
    const address = addressKey(request.ip);
    const allowances = contactAllowances(address, userId, lead);

    const keep = async () => {
      if (isSettled(usedUp, allowances, now)) return;
      try {
        await keepContact(database, { id: nextId(now), userId, lead, now, allowances });
        usedUp.remember(allowances.same.key, now + allowances.same.windowMs);
      } catch (error) {
        if (!(error instanceof NotKept)) throw error;
        for (const [key, wait] of error.waits) usedUp.remember(key, now + wait);
        isSettled(usedUp, allowances, now);
      }
    };
    if (isSettled(usedUp, allowances, now)) return {};
    await turns.take(address, () => turns.take(userId, keep));
    return {};
  });
}

/**
 * Whether the very same contact is known to be kept already.
 * Throws Fault 'too_many_requests' (429) where a limit is known to be used up.
 */
function isSettled(usedUp: UsedUp, { limits, same }: ContactAllowances, now: number): boolean {
  if (usedUp.wait(same.key, now) !== null) return true;
  const wait = Math.max(0, ...limits.map(({ key }) => usedUp.wait(key, now) ?? 0));
  if (wait > 0) throw tooMany(wait);
  return false;
}

function tooMany(waitMs: number): Fault {
  return new Fault('too_many_requests', 'That is a lot of contacts at once. Try again later.', {
    retryAfterSeconds: Math.ceil(waitMs / SECOND_MS),
  });
}
