import { PATHS } from '#domain/path.ts';

/** The texts of a change that needs a verified phone, in the dialog and beside a provider's widget. */
export interface Purpose {
  /** The dialog's title and the name of its button. */
  readonly title: string;
  readonly text: string;
}

export const CHANGE_PHONE = {
  title: 'Change login phone',
  text: 'Verify the new number. Then you sign in with it, and you are logged out everywhere else.',
  done: 'Your login phone is changed. You are logged out everywhere else.',
} as const satisfies Purpose & { readonly done: string };

export const DELETE_ACCOUNT = {
  title: 'Delete my account',
  text: 'This deletes your card, your photo, the details that visitors left, and all that is stored of you. It cannot be undone. We cannot reach a link preview that a chat has kept, or your details on other cards. Verify your login phone to confirm.',
} as const satisfies Purpose;

export type PurposeName = 'phone' | 'delete';

/** Returns the path of the document with a third party's widget (docs/product.md#account). */
export function verifyPath(purpose: PurposeName): string {
  return `${PATHS.accountVerify}?for=${purpose}`;
}
