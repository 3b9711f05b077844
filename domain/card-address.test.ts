import { expect, test } from 'vitest';

import { isReservedAddress } from './card-address.ts';

const isReserved = (name: string) => isReservedAddress(name, 'Tessera');
const names = (text: string) => text.split(/\s+/);

test('reserved names: words of the service and its name are, with hyphens or run together', () => {
  const reserved =
    names(`admin support-team supportteam tesserasupport support-tessera loginotp log-in otplogin
    verifyotp otpcode adminteam officialtessera tesserahelpdesk teamtessera customercare helpcenter my-card mycard
    theadmin mytessera tesserapay account-recovery accountrecovery tesserakychelpline dev-team devteam supportsupport`);
  expect(reserved.filter((name) => !isReserved(name))).toEqual([]);
});

test('reserved names: one that only contains a reserved word, or everyday words, is free', () => {
  const free =
    names(`adminton badminton supportive loginov newton payal payne devika devanshi devall homer cardona
    mehta meera allan helpmann staffan teamwork appu salesh guesty tesserae tesseract asha-support supportasha
    ravi-sales meme theme homeowner my-1 007 admin-asha rootika mystery pressman bankim testa ourania`);
  expect(free.filter(isReserved)).toEqual([]);
});

test.each([
  ['Café Cards', 'cafecards', true],
  ['Café Cards', 'cafecardssupport', true],
  ['Café Cards', 'tessera', false],
  ['कार्ड', 'supportteam', true],
  ['कार्ड', 'asha', false],
  ['C++', 'csupport', true],
])('reserved names: of the product %s, %s: %s', (productName, name, expected) => {
  expect(isReservedAddress(name, productName)).toBe(expected);
});
