import { expect, test } from 'vitest';

import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { signatureText } from './signature.ts';

const LINK = 'https://cards.example/user/1';

test('signature as text: has a line for each text of the card that is not empty', () => {
  const profile = {
    ...EMPTY_PROFILE,
    name: ' Asha Rao ',
    designation: 'Architect',
    companyName: 'Rao & Partners',
    phone: '+91 98765 43210',
    email: 'asha@rao.example',
    socialMediaHandles: { Web: 'https://rao.example/' },
  };
  const end = [`My digital business card: ${LINK}`, 'Website: https://rao.example/'];
  expect(signatureText(profile, LINK).split('\n')).toEqual([
    'Asha Rao',
    'Architect, Rao & Partners',
    '+91 98765 43210',
    'asha@rao.example',
    ...end,
  ]);
  const short = { ...profile, designation: '', phone: '', email: ' ' };
  const lines = signatureText(short, LINK).split('\n');
  expect(lines).toEqual(['Asha Rao', 'Rao & Partners', ...end]);
});
