import { beforeEach, expect, test } from 'vitest';

import type { HttpClient } from '#server/adapter/http-client.ts';
import { buildTestApp, useTestApp } from '#tests/support/app.ts';
import { countersOf, sendCode } from '#tests/support/codes.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import {
  CODE,
  exampleEnvironment,
  openFirstGateway,
  openTestGateway,
} from '#tests/support/gateway.ts';
import { recordingLog } from '#tests/support/log.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

import { GatewayError } from './gateway.ts';
import { reportOn } from './delivery.ts';

const services = useFakeServices();
beforeEach(() => void services.calls.splice(0));

const whatsappFirst = () => ({
  ...services.environment.msg91Gateway,
  ...services.environment.whatsapp,
  SMS_GATEWAY: 'whatsapp,msg91',
});

const gatewayOf = ({ path }: { readonly path: string }) =>
  path.startsWith('/msg91/') ? 'msg91' : 'whatsapp';

/** The gateways that were asked for the code, and whether the code counts as sent. */
async function deliver(environment: Record<string, string>, phone: string, byNext = false) {
  const send = openTestGateway(environment);
  services.calls.splice(0);
  const end = await send(phone, CODE, { byNext }).then(
    () => 'sent',
    () => 'refused',
  );
  return [...services.calls.map(gatewayOf), end].join(', ');
}

const echo: HttpClient = async ({ body = '' }) => ({ status: 500, content: JSON.parse(body) });

test('gateway: the reason of an error is never the code, where a service returns what was sent', async () => {
  const { send } = openFirstGateway(exampleEnvironment('webhook', 'https://a.example'), echo);
  await expect(send('+919876543210', CODE)).rejects.toMatchObject({ status: 500, reason: '' });
});

test('list of gateways: the next one is asked alone; WhatsApp gets the numbers of WHATSAPP_COUNTRIES only', async () => {
  const next = await deliver(whatsappFirst(), '+919876543200', true);
  expect(next).toBe('msg91, sent');
  const emirates = '+971501234500';
  const countries = { ...whatsappFirst(), OTP_COUNTRIES: 'IN,AE' };
  expect(await deliver(countries, emirates)).toBe('msg91, sent');
  const both = { ...countries, WHATSAPP_COUNTRIES: 'IN,AE' };
  expect(await deliver(both, emirates)).toBe('whatsapp, sent');
  expect(await deliver(services.environment.whatsapp, emirates)).toBe('refused');
  // Twenty countries share +1.
  const america = { ...whatsappFirst(), OTP_COUNTRIES: 'US,CA,JM', WHATSAPP_COUNTRIES: 'CA' };
  for (const [phone, name] of [
    ['+12025550100', 'msg91'],
    ['+14165550100', 'whatsapp'],
  ] as const)
    expect(await deliver(america, phone)).toBe(`${name}, sent`);
});

test('list of gateways: names the one that has accepted the code, unless the one before may have delivered it', async () => {
  const send = openTestGateway(whatsappFirst());
  expect(await send('+919876543220', CODE)).toBe('msg91');
  expect(await send('+919876543270', CODE)).toBeUndefined();
});

onEachDatabase((open) => {
  const { database } = useTestApp(open);

  test.each([
    ['+919876543200', 200, { whatsapp: 'accepted' }],
    ['+919876543220', 200, { whatsapp: 'refused', msg91: 'accepted' }],
    ['+919876543271', 200, { whatsapp: 'silent', msg91: 'refused' }],
    ['+919876543221', 503, { whatsapp: 'refused', msg91: 'refused' }],
  ])('list of gateways: a code for %s is %s, and logged', async (phone, status, outcomes) => {
    const environment = whatsappFirst();
    const { log, lines, events } = recordingLog();
    const gateways = openTestGateway(environment, log);
    const dependencies = { sendCode: gateways, log };
    const testApp = buildTestApp(database, { environment, dependencies });
    const response = await sendCode(testApp, { phone });
    expect(response.statusCode).toBe(status);
    expect(response.body).not.toMatch(/whatsapp|msg91|meta/i);
    const [, code = ''] = /"(\d{6})"/.exec(services.calls[0]?.body ?? '') ?? [];
    const asked = Object.entries(outcomes);
    const calls = services.calls.filter(({ body }) => body.includes(`"${code}"`));
    expect(calls).toHaveLength(asked.length);
    // Given back to the limits of the phone, and not to that of all.
    expect(await countersOf(database, 'otp:send:%')).toMatchObject({
      'otp:send:all': 1,
      [`otp:send:hour:${phone}`]: status === 200 ? 1 : 0,
    });
    expect(events('gateway_failed')).toMatchObject(
      asked
        .filter(([, outcome]) => outcome !== 'accepted')
        .map(([gateway, outcome]) => ({ gateway, outcome })),
    );
    expect(lines.join('')).not.toMatch(new RegExp(`${phone.slice(-8)}|(?<!\\d)${code}(?!\\d)`));
  });
});

async function reportOf(environment: Record<string, string>, phone: string) {
  const { name, send } = openFirstGateway(environment);
  const report = await reportOn(name, () => send(phone, CODE), 'sent');
  expect(JSON.stringify(report)).not.toMatch(new RegExp(`${phone.slice(-8)}|${CODE}`));
  return report;
}

test.each([
  ['+919876543200', 'accepted: accepted: sent'],
  ['+919876543210', 'refused: status 404, 132001: The template does not exist in this language'],
  ['+919876543240', 'refused: status 429, 130429: Too many messages at once.'],
  ['+919876543260', 'refused: status 500: The provider has a fault.'],
  ['+919876543270', 'silent: none: The provider has not answered in 5 s.'],
  ['+919876543280', 'refused: status 200: This is not an answer of the provider.'],
  ['+919876543290', 'response too large.: This is not an answer of the provider.'],
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
    expect.stringMatching(
      /^127\.0\.0\.1:1: connection refused .+ The provider cannot be reached\./,
    ),
  ]);
});

test.each([
  [{ message: 'No route to +91 987-654-3210 (code 481516)' }, 'No route to +… (code …)'],
  [{ code: 919876543210, message: 'To' }, 'To'],
  [{ code: '418' }, '418'],
  [{ error: { code: 190 } }, '190'],
  [null, ''],
])('gateway error: of %j has the words without the numbers that were sent', (content, reason) => {
  expect(new GatewayError('', { status: 400, content }).reason).toBe(reason);
});
