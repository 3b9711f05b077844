import { expect, test } from 'vitest';

import { parseLoginPhone } from './phone.ts';

const PHONE = '+919876543210';
const INCOMPLETE = 'This is not a complete phone number. Check it and try again.';
const TEN_DIGITS = 'Type the ten digits of your mobile number.';
const NOT_MOBILE = 'Codes can be sent to mobile numbers only. Use your mobile number.';
const OTHER_COUNTRY =
  'Codes cannot be sent to this country. Use a number of a country that we serve.';

const rowsOf = (result: string, typed: string, countries = ['IN']) =>
  typed.split(' | ').map((one) => [one, countries, result] as const);

test.each([
  ...rowsOf(PHONE, '9876543210 | 09876543210 | 919876543210 | +919876543210 | 00919876543210'),
  ...rowsOf(PHONE, '+91 98765 43210 | +91-98765-43210 | (+91) 98765.43210 | +91 09876543210'),
  // No-break hyphen, minus and middle dot; marks and no-break spaces as copied from a contact.
  ...rowsOf(PHONE, '+91 98765‑43210 | 98765−43210 | 98765·43210 | 98765/43210'),
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
  // A premium number that India does not give out.
  ...rowsOf(TEN_DIGITS, '+911900123456'),
  ...rowsOf(INCOMPLETE, '+4479', ['IN', 'GB']),
  ...rowsOf(INCOMPLETE, '50123', ['AE']),
  // A landline in Mumbai, a free number, one with shared cost, and a premium one.
  ...rowsOf(NOT_MOBILE, '02223456789 | 1800111222 | 18601234567'),
  ...rowsOf(NOT_MOBILE, '+449098790879', ['IN', 'GB']),
  ...rowsOf(OTHER_COUNTRY, '+971501234567 | +14155552671'),
  ...rowsOf('+971501234567', '+971501234567 | \uff0b971501234567', ['IN', 'AE']),
  ...rowsOf('+14155552671', '+14155552671', ['US']),
  // Without a country code it is of India, or of the first country.
  ...rowsOf('+971501234567', '0501234567', ['AE']),
  ...rowsOf(PHONE, '9876543210', ['AE', 'IN']),
])('login phone: %j with the countries %j: %s', (typed, countries, result) => {
  const parse = () => parseLoginPhone(typed, countries);
  const error = expect.objectContaining({ code: 'phone_refused', message: result });
  if (result.startsWith('+')) expect(parse()).toBe(result);
  else expect(parse).toThrow(error);
});
