import { expect, test } from 'vitest';

import { mailHref, telephoneHref } from './href.ts';

test('telephone link: drops characters that cannot be dialled', () => {
  expect(
    ['+91 98765 43210', '(080) 1234-5678', '९८७६५४३२१०', '1800,,2#', 'call me'].map(telephoneHref),
  ).toEqual(['tel:+919876543210', 'tel:08012345678', 'tel:9876543210', 'tel:1800,,2%23', 'tel:']);
});

test('email link: adds no header and no other recipient', () => {
  expect(
    ['asha+card@rao.example', 'a@b.example?bcc=c@d.example', 'a@b.example, c@d.example'].map(
      mailHref,
    ),
  ).toEqual([
    'mailto:asha+card@rao.example',
    'mailto:a@b.example%3Fbcc%3Dc@d.example',
    'mailto:a@b.example%2C%20c@d.example',
  ]);
});
