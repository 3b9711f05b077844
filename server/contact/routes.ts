import { tidyLead } from '#domain/contact.ts';
import { addContact, getContacts } from '#contract/contact.ts';
import { addressKey } from '#server/http/address.ts';
import { Fault } from '#server/http/fault.ts';
import { route } from '#server/http/route.ts';
import type { House } from '#server/http/route.ts';

import { UsedUp, contactAllowances } from './flood.ts';
import { contactIdMaker } from './id.ts';
import { NotKept, keepContact, listContacts } from './store.ts';

const SECOND_MS = 1000;

export function contactRoutes(house: House): void {
  const { database, clock } = house.parts;
  const nextId = contactIdMaker();
  const usedUp = new UsedUp();

  route(house, getContacts, ({ caller, query }) => listContacts(database, caller.userId, query));

  route(house, addContact, async ({ body, request }) => {
    // Only a robot fills in what people do not see; it is told that all went well.
    if (body.website) return {};
    const now = clock.now();
    const lead = tidyLead(body.contact);
    const userId = body.userID;
    const allowances = contactAllowances(addressKey(request.ip), userId, lead);
    const { limits, same } = allowances;

    const isKept = () => usedUp.wait(same.key, now) !== null;
    const refuse = () => {
      const wait = Math.max(0, ...limits.map(({ key }) => usedUp.wait(key, now) ?? 0));
      if (wait > 0) throw tooMany(wait);
    };

    if (isKept()) return {};
    refuse();
    try {
      await keepContact(database, { id: nextId(now), userId, lead, now, allowances });
      usedUp.remember(same.key, now + same.windowMs);
    } catch (error) {
      if (!(error instanceof NotKept)) throw error;
      for (const [key, wait] of error.waits) usedUp.remember(key, now + wait);
      if (!isKept()) refuse();
    }
    return {};
  });
}

function tooMany(waitMs: number): Fault {
  return new Fault('too_many_requests', 'That is a lot of contacts at once. Try again later.', {
    retryAfterSeconds: Math.ceil(waitMs / SECOND_MS),
  });
}
