/* The script of the public page imports this file, so it has no schemas, which would add a library. */

import { isBlank } from './invisible.ts';

export const LEAD_INCOMPLETE = 'Fill your name and atleast one contact detail';

/** A card accepts 500 contacts a day from all networks together, and holds later ones. */
export const CONTACTS_PER_DAY_MAX = 500;

export const heldContactsNote = (count: number): string =>
  `The last ${count} are held, because many came from one place within ten minutes, they came after the first ${CONTACTS_PER_DAY_MAX} of their day, or a robot may have sent them. We didn't notify you about them.`;

/** The name of the field that only bots fill in. Browsers and password managers have no value for it. */
export const HONEYPOT = 'subject';

/** The stored reason of a contact that is held because its honeypot was filled in. */
export const HONEYPOT_FILLED = 'hidden field';
export const HONEYPOT_NOTE = "The form's hidden field was filled in. This may be a robot.";

export const isIncompleteLead = (lead: Readonly<Record<'name' | 'mobile' | 'email', string>>) =>
  !lead.name || !(lead.mobile || lead.email);

/** Returns a typed text as the server accepts it, also without U+200E and U+200F, which it would accept. */
export const cleanLeadInput = (typed: string): string =>
  isBlank(typed)
    ? ''
    : typed
        .replace(/\t/g, ' ')
        // An old browser would reject the whole script for a lookbehind, so this pattern has none.
        .replace(/[\p{Cc}\p{Cs}\p{Bidi_C}]/gu, '')
        .trim();
