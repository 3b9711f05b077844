import { test } from 'vitest';

import { expectResults } from '#tests/support/results.ts';

import { CODE_LENGTH, LONG_CODE_LENGTH, readCode } from './signin.ts';

test('code: is read from a pasted message', () => {
  expectResults((text) => readCode(text, CODE_LENGTH), {
    '123456 is your code for Tessera.': '123456',
    'OTP: 123456': '123456',
    '123456.': '123456',
    '"123456"': '123456',
    'T-123456': '123456',
    '<#> 123-456 is your code': '123456',
    '[123 456]': '123456',
    'आपका कोड १२३४५६ है': '123456',
    '\u200e123456\u2060': '123456',
    '1 2 3 4 5 6': '123456',
    "Your code is 123456. It's valid for 5 minutes. Help: 1800 111 222, +91 98765 43210": '123456',
    '123456 is your code.\n\n@cards.example.com #123456': '123456',
    'On 29-11-2026 your code was 123456': '123456',
    '123456是您的验证码': '123456',
    // None of these is a code, or not a single one.
    '12345678': null,
    '123456 78': null,
    '1234567': null,
    x123456: null,
    '1234567x': null,
    'Codes 123456 and 654321': null,
    '': null,
  });
  expectResults((text) => readCode(text, LONG_CODE_LENGTH), {
    '12345678 is your code.': '12345678',
    '1234 5678': '12345678',
    'OTP: 1234-5678, not 123456': '12345678',
    '123456 is your code.': null,
  });
});
