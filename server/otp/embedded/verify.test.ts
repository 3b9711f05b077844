import { expect, test, vi } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { hashToken, newToken } from '#server/token.ts';
import { useTestApp } from '#tests/support/app.ts';
import { HOME, PHONE, countersOf, phoneOf, requestCode, verifyCode } from '#tests/support/codes.ts';
import type { Sent } from '#tests/support/codes.ts';
import { onEachDatabase } from '#tests/support/database.ts';

const invalid = (message: string) => ({ status: 403, error: 'code_invalid', message });
const WRONG = invalid('This code is not right. Check it and try again.');
const VOID = invalid('This code is not valid any more. Ask for a new one.');
const TOKEN = { status: 200, token: expect.stringMatching(/^[\w-]{43}$/) as string };

const inDigitsFrom = (zero: number) => (code: string) =>
  code.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open);

  async function verify(sent: Sent) {
    const response = await verifyCode(testApp, sent);
    return { status: response.statusCode, ...response.json<{ token?: string }>() };
  }
  const verifyAtOnce = (count: number, sent: Sent) =>
    Promise.all(Array.from({ length: count }, () => verify(sent)));

  test('verify code: the right code returns a token; the database has only its hash', async () => {
    const { right } = await requestCode(testApp);
    const response = await verify(right);
    expect(response).toEqual(TOKEN);
    expect(await database.all('SELECT * FROM exchange_tokens')).toEqual([
      {
        token_hash: hashToken(response.token ?? ''),
        phone: PHONE,
        expires_at: testApp.clock.now() + 5 * MINUTE_MS,
      },
    ]);
  });

  test('verify code: accepts spaces, hyphens and the digits of other scripts', async () => {
    const formats = [
      (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`,
      (code: string) => ` ${code}\n`,
      (code: string) => `${code.slice(0, 3)}-${code.slice(3)}\u200e`,
      (code: string) => code.padStart(32),
      inDigitsFrom(0x966),
      inDigitsFrom(0xff10),
    ];
    for (const [n, format] of formats.entries()) {
      const { right } = await requestCode(testApp, { phone: phoneOf(n) });
      const code = format(right.code);
      expect([code, await verify({ ...right, code })]).toEqual([code, TOKEN]);
    }
  });

  test('verify code: works once, also for simultaneous requests', async () => {
    const { right } = await requestCode(testApp);
    const responses = await verifyAtOnce(20, right);
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(19).fill(403)]);
    expect(await database.all('SELECT phone FROM exchange_tokens')).toHaveLength(1);
  });

  test('verify code: void after five wrong codes', async () => {
    const { right, wrong } = await requestCode(testApp);
    const responses = [];
    for (const sent of [wrong, wrong, wrong, wrong, wrong, right])
      responses.push(await verify(sent));
    expect(responses).toEqual([WRONG, WRONG, WRONG, WRONG, WRONG, VOID]);
  });

  test('verify code: only five of many simultaneous guesses are compared', async () => {
    const { wrong } = await requestCode(testApp);
    const responses = await verifyAtOnce(30, wrong);
    expect(
      responses.toSorted((one) => ('message' in one && one.message === WRONG.message ? -1 : 1)),
    ).toEqual([...Array<unknown>(5).fill(WRONG), ...Array<unknown>(25).fill(VOID)]);
  });

  test('verify code: a malformed code is not an attempt', async () => {
    const { challenge, right } = await requestCode(testApp);
    const texts = ['', '12345', '1234567', 'abcdef', 'x123456', '123456x', '12345\u0000'];
    for (const code of [...texts, right.code.padStart(33)])
      expect(await verify({ challenge, code })).toEqual(WRONG);
    expect(await countersOf(database, 'otp:fail:%')).toEqual({});
    expect(await verify(right)).toEqual(TOKEN);
  });

  test('verify code: valid for its own challenge only; a malformed one needs no query', async () => {
    const { challenge, right } = await requestCode(testApp);
    const other = await requestCode(testApp, { phone: phoneOf(1) });
    const verifyAt = (id: string) => verify({ ...right, challenge: id });
    if (right.code !== other.right.code) expect(await verifyAt(other.challenge)).toEqual(WRONG);
    expect(await verifyAt(newToken())).toEqual(VOID);
    const one = vi.spyOn(database, 'one');
    const near = [`${challenge}x`, `x${challenge}`, challenge.slice(1), 'ü'.repeat(43)];
    for (const id of [...near, 'no such challenge', 'with\u0000NUL'])
      expect(await verifyAt(id)).toEqual(VOID);
    expect(one).not.toHaveBeenCalled();
    expect(await verify(right)).toEqual(TOKEN);
  });

  test('wrong codes: a right code resets the counters of the phone and the pair', async () => {
    const { right, wrong } = await requestCode(testApp);
    for (let n = 0; n < 4; n += 1) await verify(wrong);
    expect(await countersOf(database, 'otp:fail:%')).toEqual({
      [`otp:fail:address:${HOME}`]: 4,
      [`otp:fail:day:${PHONE}`]: 4,
      [`otp:fail:pair:${HOME}:${PHONE}`]: 4,
      [`otp:fail:row:${PHONE}`]: 4,
    });
    await verify(right);
    expect(await countersOf(database, 'otp:fail:%')).toEqual({ [`otp:fail:address:${HOME}`]: 4 });
  });

  test('wrong codes: guesses at unknown challenges do not count', async () => {
    await Promise.all(
      Array.from({ length: 30 }, () => verify({ challenge: newToken(), code: '123456' })),
    );
    expect(await countersOf(database, '%')).toEqual({});
  });
});
