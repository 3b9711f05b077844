import { expect, test } from 'vitest';

import { EMAIL_HINT, PHONE_HINT, emailHint, phoneHint } from './hint.ts';

test.each(['', ' ', 'asha@example.in', 'आशा@उदाहरण.भारत', 'a+b@mail.example.co.in'])(
  'email hint: %j gets none',
  (email) => {
    expect(emailHint(email)).toBe('');
  },
);

test.each(['asha', 'asha@', '@example.in', 'asha@example', 'a b@example.in', 'a@b@c.in'])(
  'email hint: %j gets one',
  (email) => {
    expect(emailHint(email)).toBe(EMAIL_HINT);
  },
);

test.each(['', '+91 98765 43210', '(080) 2345-6789', '९८७६५४३२१०'])(
  'phone hint: %j gets none',
  (phone) => {
    expect(phoneHint(phone)).toBe('');
  },
);

test.each(['call me', '123', '1234567890123456', '98765 x 43210'])(
  'phone hint: %j gets one',
  (phone) => {
    expect(phoneHint(phone)).toBe(PHONE_HINT);
  },
);
