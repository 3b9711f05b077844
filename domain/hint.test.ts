import { expect, test } from 'vitest';

import { EMAIL_LOOKS_WRONG, PHONE_LOOKS_WRONG, emailHint, phoneHint } from './hint.ts';

test.each(['', ' ', 'asha@example.in', 'आशा@उदाहरण.भारत', 'a+b@mail.example.co.in'])(
  'the email %j gets no hint',
  (email) => {
    expect(emailHint(email)).toBe('');
  },
);

test.each(['asha', 'asha@', '@example.in', 'asha@example', 'a b@example.in', 'a@b@c.in'])(
  'the email %j gets a hint',
  (email) => {
    expect(emailHint(email)).toBe(EMAIL_LOOKS_WRONG);
  },
);

test.each(['', '+91 98765 43210', '(080) 2345-6789', '९८७६५४३२१०'])(
  'the phone %j gets no hint',
  (phone) => {
    expect(phoneHint(phone)).toBe('');
  },
);

test.each(['call me', '123', '1234567890123456', '98765 x 43210'])(
  'the phone %j gets a hint',
  (phone) => {
    expect(phoneHint(phone)).toBe(PHONE_LOOKS_WRONG);
  },
);
