import { PATHS } from '#domain/path.ts';

export interface Purpose {
  readonly title: string;
  readonly text: string;
}

export const CHANGE_PHONE = {
  title: 'Change login phone',
  text: 'Verify both numbers. Then you sign in with the new one, and you are logged out everywhere else.',
  done: 'Your login phone is changed. You are logged out everywhere else.',
  lost: 'Lost the present number? Write to',
  present: 'Present number',
  new: 'New number',
} as const satisfies Purpose & Readonly<Record<string, string>>;

export const DELETE_ACCOUNT = {
  title: 'Delete my account',
  text: 'This deletes your card, your photo, the details that visitors left, and all that is stored of you, for good. We cannot reach a link preview that a chat has kept, or your details on other cards.',
} as const satisfies Purpose;

export const CONFIRM_UPI = {
  title: 'Confirm UPI ID',
  text: 'Everything else is saved. Visitors pay with this UPI ID as soon as you verify your login phone. Until then your card stays as it was.',
} as const satisfies Purpose;

export const CONNECT_SOFTWARE = {
  title: 'Connect other software',
  text: 'Whoever owns this URL gets the details of your contacts as soon as you verify your login phone.',
} as const satisfies Purpose;

/** Changing the login phone takes two pages: one verifies the present number, the other the new one. */
export type VerifyStep = 'delete' | 'present' | 'new' | 'upi';

export const verifyPath = (step: VerifyStep): string => `${PATHS.accountVerify}?for=${step}`;

export const loginPhoneText = ({ phoneEnd }: { readonly phoneEnd: string }): string =>
  `Your login phone ends with ${phoneEnd}.`;
