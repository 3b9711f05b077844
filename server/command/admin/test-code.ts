import { createHttpClient } from '#server/adapter/http-client.ts';
import { checkIssuer } from '#server/adapter/otp/oidc.ts';
import { countStatements, limitsOf } from '#server/adapter/otp/limits.ts';
import { findInvited } from '#server/adapter/otp/store.ts';
import { maskPhone } from '#server/adapter/profile/phone.ts';
import {
  checkGateways,
  openGateways,
  reportOn,
  servingGateways,
} from '#server/adapter/sms/delivery.ts';
import type { GatewayReport } from '#server/adapter/sms/delivery.ts';

import { phoneSubject } from './audit.ts';
import { change } from './change.ts';
import { AdminError } from './context.ts';
import type { AdminContext, PhoneInput } from './context.ts';

/** Real codes have six or eight digits, so a code of seven is never valid. */
const TEST_CODE = '0000000';

const SENT =
  "The provider has accepted the message. If it does not arrive, look at the provider's own log, because a network can still drop it.";
const PRINTED =
  'The gateway console prints codes to the standard output of the service, so nothing was sent.';

const NOT_SERVED =
  'No gateway of SMS_GATEWAY serves the country of this number, and codes by email need a sign-in email. Add a gateway to SMS_GATEWAY, add the country to WHATSAPP_COUNTRIES, or set an email: login-email <phone> <email>';

/** Throws AdminError, or ApiError 'too_many_requests' when OTP_SENDS_PER_DAY is reached. */
export async function sendTestCode(context: AdminContext, testCode: PhoneInput) {
  const { phone } = testCode;
  if (context.settings.otpProvider === 'oidc') return testSettings(context);
  const { email } = await findInvited(context.database, phone);
  const names = servingGateways(context.settings, { phone, email });
  const gateways = open(context).filter(({ name }) => names.includes(name));
  if (gateways.length === 0) throw new AdminError(NOT_SERVED);
  const reports = [];
  for (const { name, send } of gateways) {
    const isPrinted = name === 'console';
    if (!isPrinted) await count(context, testCode);
    const sendCode = async () => (isPrinted ? undefined : send(phone, TEST_CODE, email));
    reports.push(await reportOn(name, sendCode, isPrinted ? PRINTED : SENT));
  }
  return reportTo(context, { phone: maskPhone(phone), code: TEST_CODE, gateways: reports });
}

export async function testSettings(context: AdminContext) {
  return reportTo(context, await checkSignIn(context));
}

/** Asks the company's login, or each gateway that can be asked without sending a message. */
export async function checkSignIn(context: Pick<AdminContext, 'settings' | 'clock'>) {
  if (context.settings.otpProvider === 'oidc')
    return { gateways: [await checkIssuer(context.settings)], notAsked: [] };
  const gateways = open(context);
  const notAsked = gateways.filter(({ check }) => check === null).map(({ name }) => name);
  return { gateways: await checkGateways(gateways), notAsked };
}

function reportTo<Result extends { readonly gateways: readonly GatewayReport[] }>(
  { fail }: AdminContext,
  result: Result,
): Result {
  if (result.gateways.some(({ outcome }) => outcome !== 'accepted')) fail();
  return result;
}

function open({ settings, clock }: Pick<AdminContext, 'settings' | 'clock'>) {
  return openGateways(settings, { httpClient: createHttpClient(), clock });
}

async function count(context: AdminContext, { phone, reason }: PhoneInput): Promise<void> {
  const client = { phone, address: { prefix64: '', prefix48: null }, deviceId: null };
  const cap = limitsOf('send', client, context.settings).filter(({ scope }) => scope === 'group');
  const subject = phoneSubject(phone);
  await change(context, { action: 'send-test-code', subject, reason }, (now) =>
    countStatements(cap, { now, settings: context.settings }),
  );
}
