import { PATHS } from '#domain/path.ts';

export interface Purpose {
  readonly title: string;
  readonly text: string;
}

export const CHANGE_PHONE = {
  title: 'Change login phone',
  text: "Verify both numbers. From then on you'll sign in with the new one, and you'll be logged out everywhere else.",
  done: "You've changed your login phone, and you're logged out everywhere else.",
  lost: 'Lost the present number? Write to',
  present: 'Present number',
  new: 'New number',
} as const satisfies Purpose & Readonly<Record<string, string>>;

export const DELETE_ACCOUNT = {
  title: 'Delete my account',
  text: "This deletes your card, your photo, the details visitors left and everything we store about you, for good. We can't reach a link preview that a chat has kept, or details you left on other cards.",
} as const satisfies Purpose;

export const BRING_IN = {
  title: 'Bring in an archive',
  text: "Choose the ZIP, and verify your login phone. What you've filled in here stays, unless you replace it.",
} as const satisfies Purpose;

export const CONFIRM_UPI = {
  title: 'Confirm UPI ID',
  text: "Everything else is saved. Verify your login phone, and visitors can pay you with this UPI ID. Until then, the UPI ID on your card doesn't change.",
} as const satisfies Purpose;

export const CONNECT_SOFTWARE = {
  title: 'Connect other software',
  text: "Once you verify your login phone, whoever owns this URL gets your contacts' details.",
} as const satisfies Purpose;

export const ADD_PASSKEY = {
  title: 'Add a passkey',
  text: 'Verify your login phone first. Then your device asks for your fingerprint, your face or its screen lock.',
} as const satisfies Purpose;

export const REMOVE_PASSKEY = {
  title: 'Remove passkey',
  text: "It won't sign you in any more. Your device may still show it until you delete it there.",
} as const satisfies Purpose;

/** Changing the login phone takes two pages: one verifies the present number, the other the new one. */
export type VerifyStep = 'delete' | 'present' | 'new' | 'upi' | 'archive' | 'add' | 'remove';

export const verifyPath = (step: VerifyStep): string => `${PATHS.accountVerify}?for=${step}`;

export const loginPhoneText = ({ phoneEnd }: { readonly phoneEnd: string }): string =>
  phoneEnd === '' ? 'Your account has no login phone.' : `Your login phone ends with ${phoneEnd}.`;
