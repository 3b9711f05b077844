import { expect, test } from 'vitest';

import { leadSchema } from './lead-schema.ts';
import { LEAD_FAILED, LEAD_INCOMPLETE, LEAD_SENT } from './lead.ts';

const LEAD = { name: 'Ravi', mobile: '98765', email: 'ravi@example.com', companyName: 'Kaveri' };
const LIMITS = { name: 120, mobile: 32, email: 254, companyName: 120 };

const isComplete = (lead: typeof LEAD) => leadSchema.safeParse(lead).success;

test('lead: needs a name and one of mobile or email; spaces do not count', () => {
  const complete = [
    { name: 'R', mobile: '1', email: '', companyName: '' },
    { name: 'R', mobile: '', email: 'x', companyName: '' },
    { name: 'R', mobile: '1', email: 'x', companyName: '' },
  ];
  const incomplete = [
    { name: '', mobile: '1', email: 'x', companyName: '' },
    { name: ' \u00a0', mobile: '1', email: 'x', companyName: '' },
    { name: 'R', mobile: '', email: '', companyName: '' },
    { name: 'R', mobile: ' ', email: '  ', companyName: '' },
  ];
  expect([...complete, ...incomplete].filter(isComplete)).toEqual(complete);
  const messages = incomplete.map((lead) => leadSchema.safeParse(lead).error?.issues[0]?.message);
  expect(messages).toEqual(incomplete.map(() => LEAD_INCOMPLETE));
});

test('lead alerts: are those of docs/product.md#messages', () => {
  expect([LEAD_INCOMPLETE, LEAD_SENT, LEAD_FAILED]).toEqual([
    'Fill your name and atleast one contact detail',
    'Contact Send Successfully',
    'Some error occured',
  ]);
});

test.each(Object.entries(LIMITS))(
  'lead: %s may have %i characters and not one more',
  (field, limit) => {
    const longest = { ...LEAD, [field]: 'x'.repeat(limit) };
    expect(leadSchema.parse(longest)).toEqual(longest);
    expect(leadSchema.safeParse({ ...LEAD, [field]: 'x'.repeat(limit + 1) }).success).toBe(false);
  },
);

test('lead: missing texts are empty, and no format is checked', () => {
  for (const lead of [{ email: 'no address' }, { mobile: '1' }]) {
    const empty = { name: 'R', mobile: '', email: '', companyName: '' };
    expect(leadSchema.parse({ name: 'R', ...lead })).toEqual({ ...empty, ...lead });
  }
});

test.each([null, 'R', 5])('lead: rejects %j, which is not an object', (value) => {
  const issues = leadSchema.safeParse(value).error?.issues;
  expect(issues?.map(({ message }) => message)).toEqual(['must be an object']);
});

test('lead: has no spaces around the values', () => {
  const email = 'ravi@example.com\u00a0';
  const spaced = { name: ' Ravi ', mobile: ' 98765', email, companyName: ' Kaveri ' };
  expect(leadSchema.parse(spaced)).toEqual(LEAD);
});
