import { expect, test, vi } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { hashToken, newToken } from '#server/token.ts';
import { CLOCK_START, useTestApp } from '#tests/support/app.ts';
import { PHONE, countersOf, testPhone, requestCode, verifyCode } from '#tests/support/codes.ts';
import type { Sent } from '#tests/support/codes.ts';
import { onEachDatabase, openTestSqlite } from '#tests/support/database.ts';

import {
  findChallenge,
  readExchangeToken,
  saveChallengeStatement,
  saveTokenStatement,
} from './store.ts';

const invalid = (message: string) => ({ status: 403, error: 'code_invalid', message });
const WRONG = invalid("That code doesn't match. Check the message.");
const VOID = invalid('That code is no longer valid. Request a new one.');
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

  test('verify code: the right code returns one token, also for simultaneous requests; the database has only its hash', async () => {
    const { right } = await requestCode(testApp);
    const answers = await verifyAtOnce(20, right);
    const [first, ...others] = answers.toSorted((one, other) => one.status - other.status);
    expect(first).toEqual(TOKEN);
    expect(others.map(({ status }) => status)).toEqual(Array<number>(19).fill(403));
    const expires_at = testApp.clock.now() + 5 * MINUTE_MS;
    expect(await database.all('SELECT token_hash, phone, expires_at FROM exchange_tokens')).toEqual(
      [{ token_hash: hashToken(first?.token ?? ''), phone: PHONE, expires_at }],
    );
  });

  test('verify code: accepts spaces, hyphens, the digits of other scripts, and a whole message', async () => {
    const formats = [
      (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`,
      (code: string) => ` ${code}\n`,
      (code: string) => `${code.slice(0, 3)}-${code.slice(3)}\u200e`,
      (code: string) => code.padStart(1000),
      (code: string) => `${code} is your code for Tessera. It's valid for 5 minutes.`,
      (code: string) => `T-${code}.\n\n@cards.example.com #${code}`,
      inDigitsFrom(0x966),
      inDigitsFrom(0xff10),
    ];
    for (const [n, format] of formats.entries()) {
      const { right } = await requestCode(testApp, { phone: testPhone(n) });
      const code = format(right.code);
      expect([code, await verify({ ...right, code })]).toEqual([code, TOKEN]);
    }
  });

  test('verify code: only five of many simultaneous guesses are compared, and then the right code is void', async () => {
    const { wrong, right } = await requestCode(testApp);
    const answers = await verifyAtOnce(30, wrong);
    const compared = answers.filter((one) => 'message' in one && one.message === WRONG.message);
    expect(compared).toEqual(Array<unknown>(5).fill(WRONG));
    expect(answers.filter((one) => !compared.includes(one))).toEqual(Array<unknown>(25).fill(VOID));
    expect(await verify(right)).toEqual(VOID);
  });

  test('verify code: is valid for its own challenge only; a malformed one or an unknown challenge is no attempt', async () => {
    const { challenge, right } = await requestCode(testApp);
    const other = await requestCode(testApp, { phone: testPhone(1) });
    const texts = ['', '12345', '1234567', 'abcdef', 'x123456', '123456x', '12345\u0000'];
    for (const code of texts) expect(await verify({ challenge, code })).toEqual(WRONG);
    const one = vi.spyOn(database, 'one');
    const near = [`${challenge}x`, `x${challenge}`, challenge.slice(1), 'ü'.repeat(43)];
    for (const id of [...near, 'no such challenge', 'with\u0000NUL'])
      expect(await verify({ ...right, challenge: id })).toEqual(VOID);
    expect(one).not.toHaveBeenCalled();
    const unknown = await verifyAtOnce(30, { ...right, challenge: newToken() });
    expect(unknown).toEqual(Array<unknown>(30).fill(VOID));
    expect(await countersOf(database, 'otp:fail:%')).toEqual({});
    if (right.code !== other.right.code)
      expect(await verify({ ...right, challenge: other.challenge })).toEqual(WRONG);
    expect(await verify(right)).toEqual(TOKEN);
  });
});

const SECRET = 'a secret';
const CHALLENGE = { id: 'challenge', phone: PHONE };
const EXCHANGE_TOKEN = 't'.repeat(43);

test('challenge, exchange token: valid for 5 minutes, and on a node whose clock is a minute behind', async () => {
  const { database } = await openTestSqlite();
  await database.batch([
    saveChallengeStatement(CHALLENGE, { secret: SECRET, code: '123456', now: CLOCK_START }),
    saveTokenStatement({ token: EXCHANGE_TOKEN, phone: '+91', now: CLOCK_START }),
  ]);
  // The token is checked at the first and last times at which it is valid, and just outside of them.
  const [first, last] = [CLOCK_START - MINUTE_MS, CLOCK_START + 5 * MINUTE_MS - 1];
  const found = [];
  for (const now of [first - 1, first, last, last + 1]) {
    const token = await readExchangeToken(database, EXCHANGE_TOKEN, now).catch(() => null);
    found.push([(await findChallenge(database, CHALLENGE.id, now))?.codeLength, token?.phone]);
  }
  const valid = [6, '+91'];
  const none = [undefined, undefined];
  expect(found).toEqual([none, valid, valid, none]);
});
