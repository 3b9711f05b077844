import { expect, test } from 'vitest';

import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import * as share from './share.ts';
import { signatureText } from './signature.ts';

const LINK = 'https://cards.example/user/1';

test('sharing: has the texts, paths and values of docs/product.md', () => {
  expect([
    share.shareText('Tessera'),
    share.copiedMessage(LINK),
    ...[share.cardPath, share.currentPhotoPath, share.passPath].map((pathOf) => pathOf('1')),
    share.QR_SCREEN_PATH,
    share.QR_FILE_NAME,
    `${share.QR_SIZE_PX} ${share.QR_LEVEL} ${share.QR_QUIET_ZONE_MODULES}`,
  ]).toEqual([
    'Hey Check Out My Digital Business Card at Tessera',
    `Copied: ${LINK}`,
    '/user/1',
    '/user/1/photo.jpg',
    '/user/1/card.pkpass',
    '/dashboard?qr',
    'MY_QR.png',
    '256 L 4',
  ]);
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
