import { beforeEach, expect, test, vi } from 'vitest';

import { SECOND_MS } from '#domain/duration.ts';
import { createHttpClient } from '#server/client/http-client.ts';
import { readSettings } from '#server/settings/settings.ts';
import { buildTestApp, fixedClock, useTestApp } from '#tests/support/app.ts';
import { countersOf, sendCode } from '#tests/support/codes.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { WHATSAPP_ANSWERS } from '#tests/support/fake-whatsapp.ts';
import { CODE, exampleEnvironment, openTestGateway } from '#tests/support/gateway.ts';
import { recordingLog, silentLog } from '#tests/support/log.ts';
import { METRICS_TOKEN, asOperator, valuesOf } from '#tests/support/metrics.ts';
import { settingsError } from '#tests/support/settings.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

import { openDelivery, openGateways } from './delivery.ts';
import type { SendOptions } from './delivery.ts';

const services = useFakeServices();
beforeEach(() => void services.calls.splice(0));

const whatsappFirst = () => ({
  ...services.environment.msg91Gateway,
  ...services.environment.whatsapp,
  SMS_GATEWAY: 'whatsapp,msg91',
});

/** The gateways that were asked for the code, and whether the code counts as sent. */
async function deliver(
  environment: Record<string, string>,
  phone: string,
  options: SendOptions = {},
) {
  services.calls.splice(0);
  const outcomes: string[] = [];
  const { log, lines } = recordingLog();
  const send = await openTestGateway(environment, log);
  const onOutcome = (...words: string[]) => outcomes.push(words.join(' '));
  const result = await send(phone, CODE, { ...options, onOutcome }).then(
    () => 'sent',
    () => 'refused',
  );
  expect(services.calls.length).toBe(outcomes.length);
  for (const { body } of services.calls) expect(body).toContain(CODE);
  expect(lines.join('')).not.toMatch(new RegExp(`${phone.slice(-8)}|${CODE}`));
  return [...outcomes, result];
}

test.each(WHATSAPP_ANSWERS.map((answer, index) => [answer, `+9198765432${index}`] as const))(
  'list of gateways: after %s from WhatsApp the second gateway is asked once, or not at all',
  async (answer, start) => {
    const isSilent = answer === 'hang';
    const first = answer === 'accepted' ? 'accepted' : isSilent ? 'silent' : 'refused';
    const second = first === 'accepted' ? [] : ['msg91 accepted'];
    expect(await deliver(whatsappFirst(), `${start}0`)).toEqual([
      `whatsapp ${first}`,
      ...second,
      'sent',
    ]);
    if (first === 'accepted') return;
    // The second one refuses too: the code counts as sent only if the first may have delivered it.
    expect(await deliver(whatsappFirst(), `${start}1`)).toEqual([
      `whatsapp ${first}`,
      'msg91 refused',
      isSilent ? 'sent' : 'refused',
    ]);
  },
);

test('gateway: the reason of an error is never the code, where a service returns what was sent', async () => {
  const [webhook] = await openGateways(
    readSettings(exampleEnvironment('webhook', 'https://a.example')),
    {
      clock: fixedClock(),
      httpClient: async ({ body = '' }) => ({ status: 500, content: JSON.parse(body) }),
    },
  );
  await expect(webhook?.send('+919876543210', CODE)).rejects.toMatchObject({
    status: 500,
    reason: '',
  });
});

test('list of gateways: the next one is asked alone', async () => {
  expect(await deliver(whatsappFirst(), '+919876543200', { byNext: true })).toEqual([
    'msg91 accepted',
    'sent',
  ]);
});

test('list of gateways: WhatsApp gets the numbers of WHATSAPP_COUNTRIES only', async () => {
  const emirates = '+971501234500';
  const countries = { ...whatsappFirst(), OTP_COUNTRIES: 'IN,AE' };
  expect(await deliver(countries, emirates)).toEqual(['msg91 accepted', 'sent']);
  const both = { ...countries, WHATSAPP_COUNTRIES: 'IN,AE' };
  expect(await deliver(both, emirates)).toEqual(['whatsapp accepted', 'sent']);
  expect(await deliver(services.environment.whatsapp, emirates)).toEqual(['refused']);
});

test('list of gateways: two for text messages, and one of them silent', async () => {
  const environment = {
    ...services.environment.msg91Gateway,
    ...services.environment.twilio,
    SMS_GATEWAY: 'msg91,twilio',
    SMS_SERVICE_URL: `${services.origin}/msg91`,
  };
  // The fake has no Twilio at that address.
  expect(await deliver(environment, '+919876543202')).toEqual([
    'msg91 silent',
    'twilio refused',
    'sent',
  ]);
});

test('list of gateways: each has five seconds, so that the answer comes within 11 s', async () => {
  const passed = AbortSignal.abort(new DOMException('', 'TimeoutError'));
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(passed);
  const dependencies = { httpClient: createHttpClient(), clock: fixedClock(), log: silentLog };
  const send = await openDelivery(readSettings(whatsappFirst()), dependencies);
  await send('+919876543272', CODE);
  expect(timeout.mock.calls).toEqual([[5 * SECOND_MS], [5 * SECOND_MS]]);
  timeout.mockRestore();
});

onEachDatabase((open) => {
  const { database } = useTestApp(open);

  test.each([
    ['+919876543200', 200, { whatsapp: 'accepted' }],
    ['+919876543220', 200, { whatsapp: 'refused', msg91: 'accepted' }],
    ['+919876543271', 200, { whatsapp: 'silent', msg91: 'refused' }],
    ['+919876543221', 503, { whatsapp: 'refused', msg91: 'refused' }],
  ])(
    'list of gateways: a code for %s is %s and one send, counted by gateway and outcome, without phone and code',
    async (phone, status, outcomes) => {
      const environment = { ...whatsappFirst(), METRICS_TOKEN };
      const { log, lines } = recordingLog();
      const gateways = await openTestGateway(environment, log);
      const dependencies = { sendCode: gateways, log };
      const testApp = buildTestApp(database, { environment, dependencies });
      const response = await sendCode(testApp, { phone });
      expect(response.statusCode).toBe(status);
      expect(response.body).not.toMatch(/whatsapp|msg91|meta/i);
      const [, code = ''] = /"(\d{6})"/.exec(services.calls[0]?.body ?? '') ?? [];
      const asked = Object.entries(outcomes);
      expect(services.calls.filter(({ body }) => body.includes(`"${code}"`))).toHaveLength(
        asked.length,
      );
      // Given back to the limits of the phone, and not to that of all.
      expect(await countersOf(database, 'otp:send:%')).toMatchObject({
        'otp:send:all': 1,
        [`otp:send:hour:${phone}`]: status === 200 ? 1 : 0,
      });
      const { body } = await testApp.app.inject(asOperator);
      const counted = Object.entries(valuesOf(body, 'tessera_gateway_messages_total'));
      expect(counted.filter(([, count]) => count > 0)).toEqual(
        asked.map(([name, outcome]) => [`{gateway="${name}",outcome="${outcome}"}`, 1]),
      );
      const written = lines.join('') + body;
      expect(written).not.toMatch(new RegExp(`${phone.slice(-8)}|(?<!\\d)${code}(?!\\d)`));
    },
  );
});

const NAMES = 'console, webhook, msg91, twilio, whatsapp';

test.each([
  ['whatsapp,pigeon', `must be one of ${NAMES}`],
  ['whatsapp,', `must be one of ${NAMES}`],
  ['msg91,twilio,webhook', 'must have at most 2 gateways, each once'],
  ['msg91,msg91', 'must have at most 2 gateways, each once'],
  ['msg91,whatsapp', 'must have whatsapp as the first gateway or alone'],
])('SMS_GATEWAY: %s stops the start', (SMS_GATEWAY, must) => {
  expect(settingsError({ SMS_GATEWAY })).toBe(`SMS_GATEWAY ${must}; it is "${SMS_GATEWAY}".`);
});

test('OTP_COUNTRIES: a country that no gateway of the list serves stops the start', () => {
  const OTP_COUNTRIES = 'IN,AE';
  const { whatsapp } = services.environment;
  const remote = { ...whatsapp, WHATSAPP_API_URL: 'http://meta.example' };
  const served = [
    { ...whatsapp, OTP_COUNTRIES, WHATSAPP_COUNTRIES: 'AE,IN' },
    { ...whatsappFirst(), OTP_COUNTRIES, SMS_GATEWAY: ' whatsapp , msg91 ' },
  ];
  expect([{ ...whatsapp, OTP_COUNTRIES }, remote, ...served].map(settingsError)).toEqual([
    'OTP_COUNTRIES has AE, which no gateway of SMS_GATEWAY serves; add it to WHATSAPP_COUNTRIES, or a second gateway to SMS_GATEWAY.',
    'WHATSAPP_API_URL must be an https address (http on this machine only) without password and query.',
    'accepted',
    'accepted',
  ]);
});
