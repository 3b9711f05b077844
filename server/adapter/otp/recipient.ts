import type { Database } from '#server/adapter/database/database.ts';
import { servingGateways } from '#server/adapter/sms/delivery.ts';
import type { ReachSettings } from '#server/adapter/sms/delivery.ts';
import { ApiError } from '#server/error.ts';
import type { Settings } from '#server/settings/settings.ts';

import { findInvited } from './store.ts';

export type RecipientSettings = ReachSettings &
  Pick<Settings, 'otpTestNumbers' | 'otpTestNumbersUntil' | 'signup' | 'supportEmail'>;

interface Wanted {
  readonly phone: string;
  readonly isNewPhone: boolean;
  readonly byNext: boolean;
  readonly now: number;
}

/**
 * Returns who gets a code for a phone. If everybody does, the recipient is open. Otherwise it depends on what
 * is stored of the phone, which nobody may learn from the reply.
 */
export async function findRecipient(
  database: Database,
  settings: RecipientSettings,
  { phone, isNewPhone, byNext, now }: Wanted,
) {
  const { signup, smsGateway, otpTestNumbers, otpTestNumbersUntil } = settings;
  const isOpen = signup === 'open' && !smsGateway.includes('email');
  const { isInvited, email } = isOpen
    ? { isInvited: true, email: null }
    : await findInvited(database, phone, isNewPhone);
  const maySignIn = signup === 'open' || isInvited;
  const hasTestCode = maySignIn && now < (otpTestNumbersUntil || 0);
  const testCode = hasTestCode ? otpTestNumbers.get(phone) : undefined;
  const isReached =
    isOpen ||
    testCode !== undefined ||
    servingGateways(settings, { phone, email, byNext }).length > 0;
  return { isOpen, email, testCode, isReached, getsCode: maySignIn && isReached };
}

export function phoneNotReachedError({ supportEmail }: RecipientSettings): ApiError {
  return new ApiError('phone_refused', `Ask ${supportEmail} to change your number.`);
}
