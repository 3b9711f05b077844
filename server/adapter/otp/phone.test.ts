import { expect, test } from 'vitest';

import { parseHandle } from '#domain/handle.ts';

import { parseLoginPhone } from './phone.ts';

const PHONE = '+919876543210';
const INCOMPLETE = "That's not a complete phone number. Check it and try again.";
const TEN_DIGITS = 'Enter the ten digits of your mobile number.';
const NOT_MOBILE = 'We can only send codes to mobile numbers. Use your mobile number.';
const OTHER_COUNTRY = "We can't send codes to this country. Use a number from a country we serve.";

const rowsOf = (result: string, typed: string, countries = ['IN']) =>
  typed.split(' | ').map((one) => [one, countries, result] as const);

test.each([
  ...rowsOf(PHONE, '9876543210 | 09876543210 | 919876543210 | +919876543210 | 00919876543210'),
  ...rowsOf(PHONE, '+91 98765 43210 | +91-98765-43210 | (+91) 98765.43210 | +91 09876543210'),
  // These contain a no-break hyphen, a minus, a middle dot, and marks and spaces as copied from a contact.
  ...rowsOf(PHONE, '+91 98765‑43210 | 98765−43210 | 98765·43210 | 98765/43210'),
  ...rowsOf(
    PHONE,
    '0091 98765 43210 | +91 (0) 98765 43210 | 910 98765 43210 | \u200e+91 98765 43210',
  ),
  ...rowsOf(PHONE, '\u202A+91\u00A098765\u00A043210\u202C'),
  ...rowsOf(PHONE, '９８７６５４３２１０ | ＋９１９８７６５４３２１０'),
  ...rowsOf(PHONE, '९८७६५४३२१० | ௯௮௭௬௫௪௩௨௧௦ | ٩٨٧٦٥٤٣٢١٠'),
  // At most 64 characters are read.
  ...rowsOf(PHONE, `  9876543210\n | ${' '.repeat(54)}9876543210`),
  ...rowsOf(TEN_DIGITS, `${' '.repeat(55)}9876543210`),
  ...rowsOf(TEN_DIGITS, ''),
  ...rowsOf(TEN_DIGITS, '98765 | 98765432101 | +91919876543210 | 91919876543210'),
  ...rowsOf(TEN_DIGITS, '1234512345 ext 5 | 98765432ab | x9876543210 | 9876543210x'),
  ...rowsOf(TEN_DIGITS, '+919876543210+ | ++919876543210 | +919876543210\u0000'),
  // India does not give out this premium number.
  ...rowsOf(TEN_DIGITS, '+911900123456'),
  ...rowsOf(INCOMPLETE, '+4479', ['IN', 'GB']),
  ...rowsOf(INCOMPLETE, '50123', ['AE']),
  // These are a landline in Mumbai, a toll-free number, a shared-cost number and a premium number.
  ...rowsOf(NOT_MOBILE, '02223456789 | 1800111222 | 18601234567'),
  ...rowsOf(NOT_MOBILE, '+449098790879', ['IN', 'GB']),
  ...rowsOf(OTHER_COUNTRY, '+971501234567 | +14155552671'),
  ...rowsOf('+971501234567', '+971501234567 | \uff0b971501234567', ['IN', 'AE']),
  ...rowsOf('+14155552671', '+14155552671', ['US']),
  // A number without a country code belongs to India, or else to the first country.
  ...rowsOf('+971501234567', '0501234567', ['AE']),
  ...rowsOf(PHONE, '9876543210', ['AE', 'IN']),
])('login phone: %j with the countries %j: %s', (typed, countries, result) => {
  const parse = () => parseLoginPhone(typed, countries);
  const error = expect.objectContaining({ code: 'phone_refused', message: result });
  if (result.startsWith('+')) expect(parse()).toBe(result);
  else expect(parse).toThrow(error);
  if (result !== PHONE) return;
  // The handle has no country code.
  expect(parseHandle('Whatsapp', typed)).toEqual({ kind: 'value', value: PHONE.slice(3) });
});
