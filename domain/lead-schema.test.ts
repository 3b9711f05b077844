import { expect, test } from 'vitest';

import { expectResults, rejection } from '#tests/support/results.ts';

import { leadSchema } from './lead-schema.ts';
import { LEAD_FAILED, LEAD_INCOMPLETE, LEAD_SENT, cleanLeadInput } from './lead.ts';

const LEAD = { name: 'Ravi', mobile: '98765', email: 'ravi@example.com', companyName: 'Kaveri' };
const EMPTY = { name: '', mobile: '', email: '', companyName: '' };

test('lead: needs a name and one of mobile or email, and no format is checked; spaces do not count', () => {
  const complete = [{ mobile: '1' }, { email: 'x' }, { mobile: '1', email: 'x' }];
  for (const lead of complete.map((contact) => ({ name: 'R', ...contact })))
    expect(leadSchema.parse(lead)).toEqual({ ...EMPTY, ...lead });
  const email = 'ravi@example.com\u00a0';
  const spaced = { name: ' Ravi ', mobile: ' 98765', email, companyName: ' Kaveri ' };
  expect(leadSchema.parse(spaced)).toEqual(LEAD);
  const incomplete = [
    { name: '', mobile: '1', email: 'x' },
    { name: ' \u00a0', mobile: '1', email: 'x' },
    { name: 'R', mobile: '', email: '' },
    { name: 'R', mobile: ' ', email: '  ' },
  ];
  for (const lead of incomplete) expect(rejection(leadSchema, lead)).toBe(LEAD_INCOMPLETE);
  for (const value of [null, 'R', 5])
    expect(rejection(leadSchema, value)).toBe('must be an object');
});

test('lead alerts: are those of docs/product.md#messages', () => {
  expect([LEAD_INCOMPLETE, LEAD_SENT, LEAD_FAILED]).toEqual([
    'Fill your name and atleast one contact detail',
    'Contact Send Successfully',
    'Some error occured',
  ]);
});

test.each(Object.entries({ name: 120, mobile: 32, email: 254, companyName: 120 }))(
  'lead: %s may have %i characters and not one more',
  (field, limit) => {
    const longest = { ...LEAD, [field]: 'x'.repeat(limit) };
    expect(leadSchema.parse(longest)).toEqual(longest);
    expect(leadSchema.safeParse({ ...LEAD, [field]: 'x'.repeat(limit + 1) }).success).toBe(false);
  },
);

test('lead input: has no control characters, lone surrogates or bidirectional controls', () => {
  expectResults(cleanLeadInput, {
    '\u202a+91 98765\u00a043210\u202c': '+91 98765\u00a043210',
    ' Asha\tRao ': 'Asha Rao',
    'a\u0000b\r\nc': 'abc',
    'half \ud83d': 'half',
    'क्‍ष 👩‍💻': 'क्‍ष 👩‍💻',
  });
});
