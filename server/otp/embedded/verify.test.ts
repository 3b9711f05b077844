import { afterEach, beforeEach, expect, test } from 'vitest';

import { hashToken, newToken } from '#server/token.ts';
import { buildTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

import { phoneFailures } from './limits.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PHONE = '+919876543210';

const WRONG = {
  status: 403,
  error: 'code_invalid',
  message: 'This code is not right. Check it and try again.',
};
const OVER = {
  status: 403,
  error: 'code_invalid',
  message: 'This code is not valid any more. Ask for a new one.',
};
const LOCKED = {
  status: 429,
  error: 'too_many_requests',
  message: 'This number is locked after too many wrong codes. Write to support@example.com.',
};

type TestApp = ReturnType<typeof buildTestApp>;

async function sendTo({ app, codes }: TestApp, phone = PHONE) {
  const payload = { appId: 'tessera', phone };
  const answer = await app.inject({ method: 'POST', url: '/api/otp/send', payload });
  const right = codes.get(phone) ?? '';
  const wrong = right === '000000' ? '000001' : '000000';
  return { challenge: answer.json<{ challenge: string }>().challenge, right, wrong };
}

async function verify({ app }: TestApp, challenge: string, code: string) {
  const payload = { challenge, code };
  const answer = await app.inject({ method: 'POST', url: '/api/otp/verify', payload });
  return { status: answer.statusCode, ...answer.json<{ token?: string; message?: string }>() };
}

const TOKEN = { status: 200, token: expect.stringMatching(/^[\w-]{43}$/) as string };

onEachDatabase((open) => {
  let fresh: TestDatabase;
  let whole: TestApp;

  beforeEach(async () => {
    fresh = await open();
    whole = buildTestApp(fresh.database);
  });

  afterEach(async () => {
    await whole.app.close();
    await fresh.dispose();
  });

  const failures = () =>
    fresh.database.all<{ key: string; count: number }>(
      "SELECT key, count FROM counters WHERE key LIKE 'otp:fail:%' ORDER BY key",
    );

  test('the right code gives a token, of which the database holds only the hash', async () => {
    const { challenge, right } = await sendTo(whole);
    const answer = await verify(whole, challenge, right);
    expect(answer).toEqual(TOKEN);
    const rows = await fresh.database.all('SELECT * FROM exchange_tokens');
    expect(rows).toEqual([
      {
        token_hash: hashToken(answer.token ?? ''),
        phone: PHONE,
        expires_at: whole.clock.now() + 5 * MINUTE,
      },
    ]);
  });

  test.each([
    (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`,
    (code: string) => ` ${code}\n`,
    (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0x966 + Number(digit))),
    (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  ])('a code is accepted with spaces and in other digits (%#)', async (spell) => {
    const { challenge, right } = await sendTo(whole);
    expect(await verify(whole, challenge, spell(right))).toEqual(TOKEN);
  });

  test('a code works once, also when it comes many times at once', async () => {
    const { challenge, right } = await sendTo(whole);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => verify(whole, challenge, right)),
    );
    const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(19).fill(403)]);
    expect(await fresh.database.all('SELECT phone FROM exchange_tokens')).toHaveLength(1);
  });

  test('a code is good for five minutes', async () => {
    const first = await sendTo(whole);
    whole.clock.advance(5 * MINUTE - 1);
    const second = await sendTo(whole);
    expect(await verify(whole, first.challenge, first.right)).toEqual(TOKEN);
    whole.clock.advance(5 * MINUTE);
    expect(await verify(whole, second.challenge, second.right)).toEqual(OVER);
  });

  test('after five wrong codes the right one is worth nothing', async () => {
    const { challenge, right, wrong } = await sendTo(whole);
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push(await verify(whole, challenge, wrong));
    answers.push(await verify(whole, challenge, right));
    expect(answers).toEqual([WRONG, WRONG, WRONG, WRONG, WRONG, OVER]);
  });

  test('of many guesses at once only five are looked at', async () => {
    const { challenge, wrong } = await sendTo(whole);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => verify(whole, challenge, wrong)),
    );
    expect(answers.filter(({ message }) => message === WRONG.message)).toHaveLength(5);
    expect(answers.filter(({ message }) => message === OVER.message)).toHaveLength(25);
  });

  test('what cannot be a code costs no try', async () => {
    const { challenge, right } = await sendTo(whole);
    for (const typed of ['', '12345', '1234567', 'abcdef', '1'.repeat(5000), '12345\u0000']) {
      expect(await verify(whole, challenge, typed)).toEqual(WRONG);
    }
    expect(await verify(whole, challenge, right)).toEqual(TOKEN);
  });

  test("one phone's code answers no other challenge", async () => {
    const mine = await sendTo(whole);
    const other = await sendTo(whole, '+919876543211');
    if (mine.right === other.right) return;
    expect(await verify(whole, other.challenge, mine.right)).toEqual(WRONG);
    expect(await verify(whole, newToken(), mine.right)).toEqual(OVER);
    expect(await verify(whole, 'no such challenge', mine.right)).toEqual(OVER);
    expect(await verify(whole, 'with\u0000NUL', mine.right)).toEqual(OVER);
  });

  test('a phone is locked at a hundred wrong codes in a row, until a person acts', async () => {
    const { key, max } = phoneFailures(PHONE);
    const before = 98;
    await fresh.database.run('INSERT INTO counters (key, count, expires_at) VALUES ($1, $2, $3)', [
      key,
      before,
      whole.clock.now() + 1e12,
    ]);
    const { challenge, right, wrong } = await sendTo(whole);
    const guesses = await Promise.all([1, 2, 3, 4].map(() => verify(whole, challenge, wrong)));
    expect(guesses.filter(({ message }) => message === WRONG.message)).toHaveLength(max - before);
    expect(await verify(whole, challenge, right)).toEqual(LOCKED);

    whole.clock.advance(3 * 365 * 24 * HOUR);
    const payload = { appId: 'tessera', phone: PHONE };
    const send = () => whole.app.inject({ method: 'POST', url: '/api/otp/send', payload });
    const refused = await send();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '86400']);
    expect(refused.json()).toMatchObject({ message: LOCKED.message });

    await fresh.database.run('DELETE FROM counters WHERE key = $1', [key]);
    expect((await send()).statusCode).toBe(200);
  });

  test('a right code begins the count of wrong ones anew', async () => {
    const { challenge, right, wrong } = await sendTo(whole);
    for (let n = 0; n < 4; n += 1) await verify(whole, challenge, wrong);
    const ofAll = { key: 'otp:fail:all', count: 4 };
    expect(await failures()).toEqual([ofAll, { key: `otp:fail:phone:${PHONE}`, count: 4 }]);
    await verify(whole, challenge, right);
    expect(await failures()).toEqual([ofAll]);
  });

  test('too many wrong codes on all phones together stop everybody for the hour', async () => {
    const small = buildTestApp(fresh.database, { environment: { OTP_SENDS_PER_DAY: '50' } });
    const sent = await Promise.all([0, 1, 2, 3].map((n) => sendTo(small, `+91987654321${n}`)));
    const guesses = await Promise.all(
      sent.flatMap(({ challenge, wrong }) =>
        [1, 2, 3, 4].map(() => verify(small, challenge, wrong)),
      ),
    );
    expect(guesses.filter(({ status }) => status === 403)).toHaveLength(10);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(6);
    const payload = { challenge: sent[0]?.challenge, code: sent[0]?.right };
    const url = '/api/otp/verify';
    const refused = await small.app.inject({ method: 'POST', url, payload });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600']);
    small.clock.advance(HOUR);
    const later = await sendTo(small, '+919876543219');
    expect(await verify(small, later.challenge, later.right)).toEqual(TOKEN);
    await small.app.close();
  });

  test('guesses at challenges that do not exist count against nobody', async () => {
    await Promise.all(Array.from({ length: 30 }, () => verify(whole, newToken(), '123456')));
    expect(await fresh.database.all('SELECT key FROM counters')).toEqual([]);
  });
});
