import { expect, test } from 'vitest';

import { ApiError } from '#server/error.ts';

import { parseLoginPhone } from './phone.ts';

const INDIA = ['IN'];

function parseResult(typed: string, countries = INDIA): string {
  try {
    return parseLoginPhone(typed, countries);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect([error.status, error.code]).toEqual([400, 'phone_refused']);
    return error.message;
  }
}

const INCOMPLETE = 'This is not a complete phone number. Check it and try again.';
const TEN_DIGITS = 'Type the ten digits of your mobile number.';
const NOT_MOBILE = 'Codes can be sent to mobile numbers only. Use your mobile number.';
const OTHER_COUNTRY =
  'Codes cannot be sent to this country. Use a number of a country that we serve.';

test.each([
  ['9876543210', 'ten digits'],
  ['09876543210', 'a leading zero'],
  ['919876543210', 'a country code without plus'],
  ['+919876543210', 'E.164'],
  ['00919876543210', 'an international prefix'],
  ['+91 98765 43210', 'spaces'],
  ['+91-98765-43210', 'hyphens'],
  ['(+91) 98765.43210', 'brackets and a dot'],
  ['+91 09876543210', 'a country code and a zero'],
  ['\u202A+91\u00A098765\u00A043210\u202C', 'marks and no-break spaces as copied from a contact'],
  ['+91 98765‑43210', 'a no-break hyphen'],
  ['９８７６５４３２１０', 'full-width digits'],
  ['＋９１９８７６５４３２１０', 'a full-width plus'],
  ['९८७६५४३२१०', 'Devanagari digits'],
  ['௯௮௭௬௫௪௩௨௧௦', 'Tamil digits'],
  ['٩٨٧٦٥٤٣٢١٠', 'Arabic-Indic digits'],
  ['  9876543210\n', 'white space around'],
  [`${' '.repeat(54)}9876543210`, '64 characters'],
  ['98765−43210', 'a minus'],
  ['98765·43210', 'a middle dot'],
  ['98765/43210', 'a slash'],
])('login phone: %j is +919876543210 (%s)', (typed) => {
  expect(parseLoginPhone(typed, INDIA)).toBe('+919876543210');
});

test.each([
  ['', 'nothing'],
  ['98765', 'too few digits'],
  ['98765432101', 'too many digits'],
  ['+91919876543210', 'a doubled country code'],
  ['91919876543210', 'a doubled country code without plus'],
  ['1234512345 ext 5', 'an extension'],
  ['98765432ab', 'letters'],
  ['+919876543210+', 'a plus at the end'],
  ['+919876543210\u0000', 'NUL'],
  [`${' '.repeat(55)}9876543210`, '65 characters'],
  ['x9876543210', 'a letter before'],
  ['9876543210x', 'a letter after'],
  ['++919876543210', 'two pluses'],
  ['+911900123456', 'a premium number that India does not give out'],
])('login phone: %j is not a complete number of India (%s)', (typed) => {
  expect(parseResult(typed)).toBe(TEN_DIGITS);
});

test.each([
  ['+4479', ['IN', 'GB'], INCOMPLETE],
  ['50123', ['AE'], INCOMPLETE],
  // A landline in Mumbai, a free number, one with shared cost, and a premium one.
  ['02223456789', INDIA, NOT_MOBILE],
  ['1800111222', INDIA, NOT_MOBILE],
  ['18601234567', INDIA, NOT_MOBILE],
  ['+449098790879', ['IN', 'GB'], NOT_MOBILE],
  ['+971501234567', INDIA, OTHER_COUNTRY],
  ['+14155552671', INDIA, OTHER_COUNTRY],
  ['+971501234567', ['IN', 'AE'], '+971501234567'],
  ['\uff0b971501234567', ['IN', 'AE'], '+971501234567'],
  ['+14155552671', ['US'], '+14155552671'],
  // Without a country code it is of India, or of the first country.
  ['0501234567', ['AE'], '+971501234567'],
  ['9876543210', ['AE', 'IN'], '+919876543210'],
])('login phone: %j with the countries %j: %s', (typed, countries, result) => {
  expect(parseResult(typed, countries)).toBe(result);
});
