/* The functions of a lead that the public page's script uses. Schemas would add a library to it. */

/** The alert for a form without a name or without both contacts (docs/product.md#messages). */
export const LEAD_INCOMPLETE = 'Fill your name and atleast one contact detail';
/** The alerts after an attempt (docs/product.md#messages). */
export const LEAD_SENT = 'Contact Send Successfully';
export const LEAD_FAILED = 'Some error occured';

/** The contacts of a card in a day, from all addresses together. Those above it are held. */
export const CONTACTS_PER_DAY_MAX = 500;

/** The sentence below a list that ends with held contacts. */
export const heldContactsNote = (count: number): string =>
  `The last ${count} arrived after the first ${CONTACTS_PER_DAY_MAX} of their day.`;

interface LeadContact {
  readonly name: string;
  readonly mobile: string;
  readonly email: string;
}

/** Returns whether a trimmed lead lacks its name, or both mobile and email. */
export const isIncompleteLead = (lead: LeadContact): boolean =>
  !lead.name || !(lead.mobile || lead.email);

/**
 * Returns a typed line without control characters, lone surrogates and bidirectional controls.
 * Stricter than the server, which accepts U+200E and U+200F.
 */
export const cleanLeadInput = (typed: string): string =>
  typed
    .replace(/\t/g, ' ')
    // Without lookbehind: an old browser would reject the whole script.
    .replace(/[\p{Cc}\p{Cs}\p{Bidi_C}]/gu, '')
    .trim();
