import { beforeEach, expect, test } from 'vitest';

import { buildTestApp, useTestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

import { readAudit } from './audit.ts';

const services = useFakeServices();
beforeEach(() => void services.calls.splice(0));

const list = () => ({
  ...services.environment.msg91Gateway,
  ...services.environment.whatsapp,
  SMS_GATEWAY: 'whatsapp,msg91',
  OTP_COUNTRIES: 'IN,AE',
});

onEachDatabase((open) => {
  const { database } = useTestApp(open);

  async function run(environment: Record<string, string>, ...args: string[]) {
    const testApp = buildTestApp(database, { environment });
    let isFailed = false;
    const fail = () => void (isFailed = true);
    const result = await runCommand(testApp, { fail }, 'send-test-code', ...args);
    return { ...(result as { gateways: { answer: string; meaning: string }[] }), isFailed };
  }
  const counted = () => database.all("SELECT count FROM counters WHERE key = 'otp:send:all'");

  test('send-test-code: sends one by each gateway, counts it, and explains the answer without the phone', async () => {
    // WhatsApp's fake answers 190 for a last digit but one of 3.
    const result = await run(list(), '98765 43230');
    const meaning = 'The token has expired or was withdrawn (WHATSAPP_TOKEN).';
    const taken = expect.stringContaining('has accepted the message') as string;
    expect(result).toEqual({
      phone: '•••• 3230',
      code: '0000000',
      isFailed: true,
      gateways: [
        { gateway: 'whatsapp', outcome: 'refused', answer: 'status 401, 190', meaning },
        { gateway: 'msg91', outcome: 'accepted', answer: 'accepted', meaning: taken },
      ],
    });
    for (const { body } of services.calls) expect(body).toContain('"0000000"');
    expect(await counted()).toEqual([{ count: 2 }]);
    expect(await database.all('SELECT id FROM challenges')).toEqual([]);
    const change = { actor: 'asha', action: 'send-test-code', subject: 'phone …3230', reason: '' };
    expect(await readAudit(database)).toMatchObject([change, change]);
  });

  test('send-test-code: sends none when OTP_SENDS_PER_DAY is reached, by the console, or to a country that no gateway serves', async () => {
    const limited = run({ ...list(), OTP_SENDS_PER_DAY: '1' }, '9876543200');
    await expect(limited).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(services.calls.length).toBe(1);
    const { gateways } = await run({}, '9876543200');
    expect(gateways).toMatchObject([{ gateway: 'console', outcome: 'accepted' }]);
    const abroad = run(services.environment.whatsapp, '+971 50 123 4500');
    await expect(abroad).rejects.toThrow('No gateway of SMS_GATEWAY serves the country');
    expect(await counted()).toEqual([{ count: 1 }]);
  });

  test('send-test-code --check: sends nothing, and asks the providers that can be asked', async () => {
    const sms = { ...services.environment.twilio, ...services.environment.whatsapp };
    const environment = { ...sms, SMS_GATEWAY: 'whatsapp,twilio' };
    const { gateways } = await run(environment, '9876543200', '--check');
    expect(gateways).toMatchObject([
      { gateway: 'whatsapp', outcome: 'accepted' },
      { gateway: 'twilio', answer: 'status 200, account not active', outcome: 'refused' },
    ]);
    expect(services.calls.map(({ method }) => method)).toEqual(['GET', 'GET']);
    const msg91 = await run(services.environment.msg91Gateway, '9876543200', '--check');
    expect(msg91).toEqual({ gateways: [], notAsked: ['msg91'], isFailed: false });
    expect(await counted()).toEqual([]);
  });
});
