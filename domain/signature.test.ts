import { expect, test } from 'vitest';

import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { signatureText } from './signature.ts';

test('signature as text: has a line for each text of the card that is not empty', () => {
  const link = 'https://cards.example/user/1';
  const profile = {
    ...EMPTY_PROFILE,
    name: ' Asha Rao ',
    designation: 'Architect',
    companyName: 'Rao & Partners',
    phone: '+91 98765 43210',
    email: 'asha@rao.example',
    socialMediaHandles: { Web: 'https://rao.example/' },
  };
  const end = [`My digital business card: ${link}`, 'Website: https://rao.example/'];
  const { phone, email } = profile;
  const full = ['Asha Rao', 'Architect, Rao & Partners', phone, email, ...end];
  expect(signatureText(profile, link).split('\n')).toEqual(full);
  const short = { ...profile, designation: '', phone: '', email: ' ' };
  const lines = signatureText(short, link).split('\n');
  expect(lines).toEqual(['Asha Rao', 'Rao & Partners', ...end]);
});
