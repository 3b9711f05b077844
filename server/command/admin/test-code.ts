import { createHttpClient } from '#server/adapter/client/http-client.ts';
import { countStatements, limitsOf } from '#server/adapter/otp/embedded/limits.ts';
import { maskPhone, phoneEnd } from '#server/adapter/profile/phone.ts';
import { openGateways, serves, checkGateways, reportOn } from '#server/adapter/sms/delivery.ts';
import type { GatewayReport } from '#server/adapter/sms/delivery.ts';

import { change } from './change.ts';
import { AdminError } from './context.ts';
import type { AdminContext } from './context.ts';

/** Is longer than a six-digit code and shorter than an eight-digit one, so it is never valid. */
const TEST_CODE = '0000000';

const SENT =
  "The provider has taken the message. If it does not come, look at the provider's own log: a network can still drop it.";
const PRINTED = 'console prints codes to the standard output of the service. Nothing was sent.';

interface TestCode {
  readonly phone: string;
  readonly reason: string;
}

/** Throws AdminError, or ApiError 'too_many_requests' when OTP_SENDS_PER_DAY is reached. */
export async function sendTestCode(context: AdminContext, testCode: TestCode) {
  const { phone } = testCode;
  const gateways = open(context).filter(({ name }) => serves(name, phone, context.settings));
  if (gateways.length === 0) {
    throw new AdminError('No gateway of SMS_GATEWAY serves the country of this number.');
  }
  const reports = [];
  for (const { name, send } of gateways) {
    if (name === 'console') {
      reports.push(await reportOn(name, async () => undefined, PRINTED));
      continue;
    }
    await count(context, testCode);
    reports.push(await reportOn(name, () => send(phone, TEST_CODE), SENT));
  }
  return reportTo(context, { phone: maskPhone(phone), code: TEST_CODE, gateways: reports });
}

export async function checkSettings(context: AdminContext) {
  const gateways = open(context);
  const notAsked = gateways.filter(({ check }) => check === null).map(({ name }) => name);
  return reportTo(context, { gateways: await checkGateways(gateways), notAsked });
}

function reportTo<Result extends { readonly gateways: readonly GatewayReport[] }>(
  { fail }: AdminContext,
  result: Result,
): Result {
  if (result.gateways.some(({ outcome }) => outcome !== 'accepted')) fail();
  return result;
}

function open({ settings, clock }: AdminContext) {
  return openGateways(settings, { httpClient: createHttpClient(), clock });
}

async function count(context: AdminContext, { phone, reason }: TestCode): Promise<void> {
  const client = { phone, address: { prefix64: '', prefix48: null }, deviceId: null };
  const cap = limitsOf('send', client, context.settings).filter(({ scope }) => scope === 'group');
  const subject = `phone …${phoneEnd(phone)}`;
  await change(context, { action: 'send-test-code', subject, reason }, (now) =>
    countStatements(cap, { now, settings: context.settings }),
  );
}
