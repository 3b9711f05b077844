import { toE164 } from '#server/adapter/otp/phone.ts';

import { AdminError } from './context.ts';
import type { AdminContext } from './context.ts';
import { findById, findByName, findByPhone, findInNames, parseUserId } from './store.ts';

/** Returns users by login phone, id, link to the card, or the start of the name; after `*` by any part of it. */
export async function find(
  { database, countries }: AdminContext,
  { wanted }: { readonly wanted: string },
) {
  if (wanted.startsWith('*')) return findInNames(database, wanted.slice(1));
  const id = parseUserId(wanted);
  const found = id === null ? [] : await findById(database, id);
  if (found.length > 0) return found;
  const phone = toE164(wanted, countries);
  return phone === null ? findByName(database, wanted) : findByPhone(database, phone);
}

/** As E.164. Throws AdminError. */
export function parsePhone({ countries }: AdminContext, typed: string): string {
  const parsed = toE164(typed, countries);
  if (parsed === null) throw new AdminError(`${typed} is not a phone.`);
  return parsed;
}
