import { trimLead } from '#domain/contact.ts';
import { addContact, getContacts } from '#contract/contact.ts';
import { addressKey } from '#server/http/address.ts';
import { ApiError } from '#server/http/api-error.ts';
import { route } from '#server/http/route.ts';
import type { AppContext } from '#server/context.ts';

import { DeniedKeys, contactRateLimits } from './rate-limit.ts';
import type { ContactRateLimits } from './rate-limit.ts';
import { contactIdMaker } from './id.ts';
import { LimitExceeded, insertContact, listContacts } from './store.ts';
import { KeyedMutex } from './mutex.ts';

const SECOND_MS = 1000;

export function contactRoutes(context: AppContext): void {
  const { database, clock } = context.dependencies;
  const nextId = contactIdMaker();
  const deniedKeys = new DeniedKeys();
  const turns = new KeyedMutex();

  route(context, getContacts, ({ caller, query }) => listContacts(database, caller.userId, query));

  route(context, addContact, async ({ body, request }) => {
    // Only a robot fills in what people do not see; it is told that all went well.
    if (body.website) return {};
    const now = clock.now();
    const lead = trimLead(body.contact);
    const userId = body.userID;
    const address = addressKey(request.ip);
    const rateLimits = contactRateLimits(address, userId, lead);

    const keep = async () => {
      if (isSettled(deniedKeys, rateLimits, now)) return;
      try {
        await insertContact(database, { id: nextId(now), userId, lead, now, rateLimits });
        deniedKeys.remember(rateLimits.same.key, now + rateLimits.same.windowMs);
      } catch (error) {
        if (!(error instanceof LimitExceeded)) throw error;
        for (const [key, wait] of error.waits) deniedKeys.remember(key, now + wait);
        isSettled(deniedKeys, rateLimits, now);
      }
    };
    if (isSettled(deniedKeys, rateLimits, now)) return {};
    await turns.take(address, () => turns.take(userId, keep));
    return {};
  });
}

/**
 * Whether the very same contact is known to be kept already.
 * Throws ApiError 'too_many_requests' (429) where a limit is known to be used up.
 */
function isSettled(
  deniedKeys: DeniedKeys,
  { limits, same }: ContactRateLimits,
  now: number,
): boolean {
  if (deniedKeys.wait(same.key, now) !== null) return true;
  const wait = Math.max(0, ...limits.map(({ key }) => deniedKeys.wait(key, now) ?? 0));
  if (wait > 0) throw tooMany(wait);
  return false;
}

function tooMany(waitMs: number): ApiError {
  return new ApiError('too_many_requests', 'That is a lot of contacts at once. Try again later.', {
    retryAfterSeconds: Math.ceil(waitMs / SECOND_MS),
  });
}
