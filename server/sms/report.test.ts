import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { CODE, openFirst } from '#tests/support/gateway.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

import { GatewayError } from './gateway.ts';
import type { GatewayEntry } from './gateway.ts';
import { GATEWAYS } from './gateways.ts';
import { reportOn } from './report.ts';

const services = useFakeServices();

async function reportOf(environment: Record<string, string>, phone: string) {
  const { name, send } = await openFirst(environment);
  const report = await reportOn(name, () => send(phone, CODE), 'sent');
  expect(JSON.stringify(report)).not.toMatch(new RegExp(`${phone.slice(-8)}|${CODE}`));
  return report;
}

test.each([
  ['+919876543200', 'accepted: accepted: sent'],
  ['+919876543210', 'refused: status 404, 132001: The template does not exist in this language'],
  ['+919876543220', 'refused: status 400, 131026: The number is not on WhatsApp'],
  ['+919876543230', 'refused: status 401, 190: The token has expired'],
  ['+919876543240', 'refused: status 429, 130429: Too many messages at once.'],
  ['+919876543250', 'refused: status 400, 131056: Too many messages to this number'],
  ['+919876543260', 'refused: status 500: The provider has a fault.'],
  ['+919876543270', 'silent: none: The provider has not answered in 5 s.'],
  ['+919876543280', 'refused: status 200: This is not an answer of the provider.'],
  ['+919876543290', 'more than 65536 bytes.: This is not an answer of the provider.'],
])('report: of WhatsApp for %s has "%s"', async (phone, expected) => {
  const { outcome, answer, meaning } = await reportOf(services.environment.whatsapp, phone);
  expect(`${outcome}: ${answer}: ${meaning}`).toContain(expected);
});

test('report: explains the words of MSG91, the numbers of Twilio, and a provider that cannot be reached', async () => {
  const phone = '+919876543210';
  const { msg91Gateway, twilio } = services.environment;
  const reports = [
    await reportOf({ ...msg91Gateway, MSG91_AUTH_KEY: 'other' }, phone),
    await reportOf({ ...twilio, TWILIO_AUTH_TOKEN: 'other' }, phone),
    await reportOf({ ...twilio, SMS_SERVICE_URL: 'http://127.0.0.1:1' }, phone),
  ];
  expect(reports.map(({ answer, meaning }) => `${answer}: ${meaning}`)).toEqual([
    'status 200, AuthenticationFailure: The auth key is wrong or was deleted (MSG91_AUTH_KEY).',
    'status 401, 20003: The account SID or the auth token is wrong, or the account is suspended or closed.',
    expect.stringMatching(/^127\.0\.0\.1:1: .+ The provider cannot be reached\./),
  ]);
});

test.each([
  [{ message: 'No route to +91 987-654-3210 (code 481516)' }, 'No route to +… (code …)'],
  [{ code: 919876543210, message: 'To' }, 'To'],
  [{ code: '418' }, '418'],
  [{ error: { code: 190 } }, '190'],
  [null, ''],
  ['x', ''],
])('gateway error: of %j has the words without the numbers that were sent', (content, reason) => {
  expect(new GatewayError('', { status: 400, content }).reason).toBe(reason);
});

test('docs/sms.md: has every reason of a provider with its meaning', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/sms.md'), 'utf8');
  const rows = page.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
  const missing = Object.values<GatewayEntry>(GATEWAYS)
    .flatMap(({ description: { meanings = {} } }) => Object.entries(meanings))
    .filter(([reason, meaning]) => !rows.some((row) => row[2] === reason && row[3] === meaning));
  expect(missing).toEqual([]);
});
