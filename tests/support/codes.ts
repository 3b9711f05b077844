import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';

import type { TestApp } from './app.ts';

export const PHONE = '+919876543210';
export const HOME_IP = '198.51.100.1';
export const testPhone = (n: number) => `+9198765${String(n).padStart(5, '0')}`;

type Visitor = Readonly<Partial<Record<'phone' | 'address' | 'cookie', string>>>;
export type Sent = Readonly<Record<'challenge' | 'code', string>>;

const codeRequest = (path: string, { address = HOME_IP, cookie }: Visitor, payload: object) =>
  ({
    method: 'POST',
    url: `/api/otp/${path}`,
    payload,
    headers: cookie === undefined ? {} : { cookie },
    remoteAddress: address,
  }) as const;

type Send = Visitor & { readonly replaces?: string | undefined };

export const sendCode = ({ app }: TestApp, { phone = PHONE, replaces, ...visitor }: Send = {}) =>
  app.inject(codeRequest('send', visitor, { appId: 'tessera', phone, replaces }));

export const verifyCode = ({ app }: TestApp, payload: Partial<Sent>, visitor: Visitor = {}) =>
  app.inject(codeRequest('verify', visitor, payload));

export const wrongCodeFor = (code: string) =>
  code.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));

export async function requestCode(testApp: TestApp, visitor: Visitor = {}) {
  const { challenge } = (await sendCode(testApp, visitor)).json<{ challenge: string }>();
  const code = testApp.codes.get(visitor.phone ?? PHONE) ?? '';
  return { challenge, right: { challenge, code }, wrong: { challenge, code: wrongCodeFor(code) } };
}

export async function statusOf(response: ReturnType<typeof sendCode>) {
  const { statusCode, headers } = await response;
  const wait = headers['retry-after'];
  return wait === undefined ? statusCode : `${statusCode} after ${wait} s`;
}

export async function countersOf(database: Database, pattern: string) {
  const rows = await database.all<{ key: string; count: number }>(
    sql`SELECT key, count FROM counters WHERE key LIKE ${pattern}`,
  );
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
}
