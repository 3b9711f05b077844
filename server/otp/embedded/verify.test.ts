import { expect, test, vi } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { hashToken, newToken } from '#server/token.ts';
import { useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';

const PHONE = '+919876543210';
const ADDRESS = '127.0.0.1';

const WRONG = {
  status: 403,
  error: 'code_invalid',
  message: 'This code is not right. Check it and try again.',
};
const VOID = {
  status: 403,
  error: 'code_invalid',
  message: 'This code is not valid any more. Ask for a new one.',
};
async function sendCode({ app, codes }: TestApp, phone = PHONE) {
  const payload = { appId: 'tessera', phone };
  const response = await app.inject({ method: 'POST', url: '/api/otp/send', payload });
  const right = codes.get(phone) ?? '';
  const wrong = right === '000000' ? '000001' : '000000';
  return { challenge: response.json<{ challenge: string }>().challenge, right, wrong };
}

async function verify({ app }: TestApp, challenge: string, code: string) {
  const payload = { challenge, code };
  const response = await app.inject({ method: 'POST', url: '/api/otp/verify', payload });
  return { status: response.statusCode, ...response.json<{ token?: string; message?: string }>() };
}

const TOKEN = { status: 200, token: expect.stringMatching(/^[\w-]{43}$/) as string };

onEachDatabase((open) => {
  const { testDatabase, testApp } = useTestApp(open);

  const failures = () =>
    testDatabase.database.all<{ key: string; count: number }>(
      "SELECT key, count FROM counters WHERE key LIKE 'otp:fail:%' ORDER BY key",
    );

  test('verify code: the right code returns a token; the database has only its hash', async () => {
    const { challenge, right } = await sendCode(testApp);
    const response = await verify(testApp, challenge, right);
    expect(response).toEqual(TOKEN);
    const rows = await testDatabase.database.all('SELECT * FROM exchange_tokens');
    expect(rows).toEqual([
      {
        token_hash: hashToken(response.token ?? ''),
        phone: PHONE,
        expires_at: testApp.clock.now() + 5 * MINUTE_MS,
      },
    ]);
  });

  test.each([
    (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`,
    (code: string) => ` ${code}\n`,
    (code: string) => `${code.slice(0, 3)}-${code.slice(3)}\u200e`,
    (code: string) => code.padStart(32),
    (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0x966 + Number(digit))),
    (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  ])(
    'verify code: accepts spaces, hyphens and the digits of other scripts (%#)',
    async (format) => {
      const { challenge, right } = await sendCode(testApp);
      expect(await verify(testApp, challenge, format(right))).toEqual(TOKEN);
    },
  );

  test('verify code: works once, also for simultaneous requests', async () => {
    const { challenge, right } = await sendCode(testApp);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => verify(testApp, challenge, right)),
    );
    const statuses = responses.map((response) => response.status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(19).fill(403)]);
    expect(await testDatabase.database.all('SELECT phone FROM exchange_tokens')).toHaveLength(1);
  });

  test('verify code: void after five wrong codes', async () => {
    const { challenge, right, wrong } = await sendCode(testApp);
    const responses = [];
    for (let n = 0; n < 5; n += 1) responses.push(await verify(testApp, challenge, wrong));
    responses.push(await verify(testApp, challenge, right));
    expect(responses).toEqual([WRONG, WRONG, WRONG, WRONG, WRONG, VOID]);
  });

  test('verify code: only five of many simultaneous guesses are compared', async () => {
    const { challenge, wrong } = await sendCode(testApp);
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => verify(testApp, challenge, wrong)),
    );
    expect(responses.filter(({ message }) => message === WRONG.message)).toHaveLength(5);
    expect(responses.filter(({ message }) => message === VOID.message)).toHaveLength(25);
  });

  test('verify code: a malformed code is not an attempt', async () => {
    const { challenge, right } = await sendCode(testApp);
    const texts = ['', '12345', '1234567', 'abcdef', 'x123456', '123456x', '12345\u0000'];
    for (const typed of [...texts, right.padStart(33)]) {
      expect(await verify(testApp, challenge, typed)).toEqual(WRONG);
    }
    expect(await failures()).toEqual([]);
    expect(await verify(testApp, challenge, right)).toEqual(TOKEN);
  });

  test('verify code: valid for its own challenge only', async () => {
    const mine = await sendCode(testApp);
    const other = await sendCode(testApp, '+919876543211');
    if (mine.right === other.right) return;
    expect(await verify(testApp, other.challenge, mine.right)).toEqual(WRONG);
    expect(await verify(testApp, newToken(), mine.right)).toEqual(VOID);
    expect(await verify(testApp, 'no such challenge', mine.right)).toEqual(VOID);
    expect(await verify(testApp, 'with\u0000NUL', mine.right)).toEqual(VOID);
  });

  test('verify code: a malformed challenge needs no query', async () => {
    const { challenge, right } = await sendCode(testApp);
    const one = vi.spyOn(testDatabase.database, 'one');
    for (const id of [`${challenge}x`, `x${challenge}`, challenge.slice(1), 'ü'.repeat(43)]) {
      expect(await verify(testApp, id, right)).toEqual(VOID);
    }
    expect(one).not.toHaveBeenCalled();
    expect(await verify(testApp, challenge, right)).toEqual(TOKEN);
  });

  test('wrong codes: a right code resets the counters of the phone and the pair', async () => {
    const { challenge, right, wrong } = await sendCode(testApp);
    for (let n = 0; n < 4; n += 1) await verify(testApp, challenge, wrong);
    expect(await failures()).toEqual([
      { key: `otp:fail:address:${ADDRESS}`, count: 4 },
      { key: `otp:fail:day:${PHONE}`, count: 4 },
      { key: `otp:fail:pair:${ADDRESS}:${PHONE}`, count: 4 },
      { key: `otp:fail:row:${PHONE}`, count: 4 },
    ]);
    await verify(testApp, challenge, right);
    expect(await failures()).toEqual([{ key: `otp:fail:address:${ADDRESS}`, count: 4 }]);
  });

  test('wrong codes: guesses at unknown challenges do not count', async () => {
    await Promise.all(Array.from({ length: 30 }, () => verify(testApp, newToken(), '123456')));
    expect(await testDatabase.database.all('SELECT key FROM counters')).toEqual([]);
  });
});
