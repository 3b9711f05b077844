/* No schemas: the script of the public page imports this file, and schemas would add a library to it. */

export const LEAD_INCOMPLETE = 'Fill your name and atleast one contact detail';

/** What one card takes in a day from all addresses together. Later contacts are held. */
export const CONTACTS_PER_DAY_MAX = 500;

export const heldContactsNote = (count: number): string =>
  `The last ${count} are held: many came from one place within ten minutes, or they came after the first ${CONTACTS_PER_DAY_MAX} of their day. You were not notified of them.`;

interface LeadContact {
  readonly name: string;
  readonly mobile: string;
  readonly email: string;
}

export const isIncompleteLead = (lead: LeadContact): boolean =>
  !lead.name || !(lead.mobile || lead.email);

/** Stricter than the server, which accepts U+200E and U+200F. */
export const cleanLeadInput = (typed: string): string =>
  typed
    .replace(/\t/g, ' ')
    // Without lookbehind: an old browser would reject the whole script.
    .replace(/[\p{Cc}\p{Cs}\p{Bidi_C}]/gu, '')
    .trim();
