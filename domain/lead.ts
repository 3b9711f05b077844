/* What the public page's small script needs of a lead: no schema, so that no library comes along. */

/** The alert for a form without a name or without both contacts (docs/product.md#messages). */
export const CONTACT_INCOMPLETE = 'Fill your name and atleast one contact detail';
/** The alerts after an attempt (docs/product.md#messages). */
export const CONTACT_SENT = 'Contact Send Successfully';
export const CONTACT_FAILED = 'Some error occured';

interface Reachable {
  readonly name: string;
  readonly mobile: string;
  readonly email: string;
}

/** Whether a lead has a name and at least one of mobile or email. Spaces alone do not count. */
export function isCompleteLead(lead: Reachable): boolean {
  return Boolean(lead.name.trim() && (lead.mobile.trim() || lead.email.trim()));
}

// Written without lookbehind: a browser that does not know it would refuse the whole script.
const REFUSED_ALL = /[\p{Cc}\p{Cs}\p{Bidi_C}]/gu;

/** One typed or pasted line, made acceptable to the server: no controls, halves of characters, direction marks. */
export function cleanLeadInput(typed: string): string {
  return typed.replace(/\t/g, ' ').replace(REFUSED_ALL, '').trim();
}
