import type { Reply } from '#contract/endpoint.ts';
import type { sendCode } from '#contract/signin.ts';
import { CODE_LENGTH } from '#domain/signin.ts';
import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { fillText, pluralText } from '#domain/language/plural.ts';

import { codeTexts, pageLanguage } from './form-step.ts';

const STORAGE_KEY = 'otp-sent-code';

/** Times are in milliseconds as of `Date.now()`. */
export interface SentCode {
  readonly challenge: string;
  /** The phone as the user typed it. */
  readonly typed: string;
  readonly phone: string;
  readonly resendAt: number;
  readonly sentAt: number;
  readonly lifeSeconds: number;
  readonly codeLength: number;
  /** Absent where codes are sent in one way. */
  readonly sentBy?: 'either' | 'sms';
  /** When the code can be sent by SMS instead. */
  readonly smsAt?: number;
}

/** `isBySms`: it was sent in the place of another one. */
export function createSentCode(
  reply: Reply<typeof sendCode>,
  typed: string,
  isBySms: boolean,
): SentCode {
  const { challenge, phone, phoneText = phone, resendAfterSeconds, lifeSeconds } = reply;
  const { codeLength = CODE_LENGTH } = reply;
  const sentAt = Date.now();
  const resendAt = sentAt + resendAfterSeconds * SECOND_MS;
  const sent = { challenge, typed, phone: phoneText, resendAt, sentAt, lifeSeconds, codeLength };
  if (isBySms) return { ...sent, sentBy: 'sms' };
  if (reply.nextAfterSeconds === undefined) return sent;
  return { ...sent, sentBy: 'either', smsAt: sentAt + reply.nextAfterSeconds * SECOND_MS };
}

export function sentHint({ phone, lifeSeconds }: SentCode): string {
  const minutes = Math.round((lifeSeconds * SECOND_MS) / MINUTE_MS);
  const { sentTo, validFor } = codeTexts();
  const valid = pluralText(pageLanguage(), validFor, minutes);
  return `${fillText(sentTo, { phone })} ${valid}`;
}

/** For a reload of the page; null removes it. */
export function storeSentCode(code: SentCode | null): void {
  try {
    if (code) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(code));
    else sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage the code does not survive a reload.
  }
}

/** Null for none or an expired one. */
export function storedSentCode(): SentCode | null {
  try {
    const code = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as SentCode | null;
    const isValid = code !== null && Date.now() < code.sentAt + code.lifeSeconds * SECOND_MS;
    return isValid && typeof code.challenge === 'string' ? code : null;
  } catch {
    return null;
  }
}
