import { expect, test } from 'vitest';

import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { QR_LEVEL, QR_QUIET_ZONE_MODULES } from './share.ts';
import { signatureText } from './signature.ts';

const LINK = 'https://cards.example/user/1';

test('QR code: has the level and the quiet zone of docs/product.md', () => {
  expect([QR_LEVEL, QR_QUIET_ZONE_MODULES]).toEqual(['L', 4]);
});

test('signature as text: has a line for each text of the card that is not empty', () => {
  const socialMediaHandles = { Web: 'https://rao.example/' };
  const [phone, email] = ['+91 98765 43210', 'asha@rao.example'];
  const texts = { name: ' Asha Rao ', designation: 'Architect', companyName: 'Rao & Partners' };
  const profile = { ...EMPTY_PROFILE, ...texts, phone, email, socialMediaHandles };
  const linesOf = (card: typeof profile) => signatureText(card, LINK).split('\n');
  const end = [`My digital business card: ${LINK}`, 'Website: https://rao.example/'];
  const full = ['Asha Rao', 'Architect, Rao & Partners', phone, email, ...end];
  expect(linesOf(profile)).toEqual(full);
  const short = { ...profile, designation: '', phone: '', email: ' ' };
  expect(linesOf(short)).toEqual(['Asha Rao', 'Rao & Partners', ...end]);
});
