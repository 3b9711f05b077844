import { expect, test } from 'vitest';

import { describeError } from './log.ts';

test('log: an error has its message and its cause, without phones and tokens', () => {
  const token = 'q'.repeat(43);
  const cause = Object.assign(new Error('Key (login_phone)=(+919876543210) exists.'), {
    code: '23505',
    detail: 'Failing row contains (+919876543210, Asha).',
    headers: { authorization: token },
  });
  const error = new Error(`Bearer ${token} and eyJhbGciOiJSUzI1NiIsImtpZCI6IjEi.e30.c2ln`, {
    cause,
  });
  const line = describeError(error);
  expect(line).toMatchObject({
    type: 'Error',
    message: 'Bearer [hidden] and [hidden]',
    cause: { type: 'Error', code: '23505', message: 'Key (login_phone)=([hidden]) exists.' },
  });
  const text = JSON.stringify(line);
  for (const secret of ['9876543210', token, 'Asha', 'eyJ']) expect(text).not.toContain(secret);
});

test('log: a thrown value that is not an Error has no secrets', () => {
  expect(describeError('call +919876543210')).toEqual({
    type: 'string',
    message: 'call [hidden]',
  });
});
