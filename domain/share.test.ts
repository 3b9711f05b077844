import { expect, test } from 'vitest';

import * as share from './share.ts';

test('share text: has the fixed sentence and the product’s name', () => {
  expect(share.shareText('Tessera')).toBe('Hey Check Out My Digital Business Card at Tessera');
});

test('copied message: names the link', () => {
  expect(share.copiedMessage('https://a.example/user/1')).toBe('Copied: https://a.example/user/1');
});

test('paths of a card: are below its own, and the dashboard opens with the QR code', () => {
  expect([share.currentPhotoPath('1abc'), share.passPath('1abc'), share.QR_SCREEN_PATH]).toEqual([
    '/user/1abc/photo.jpg',
    '/user/1abc/card.pkpass',
    '/dashboard?qr',
  ]);
});

test('card path and QR code: are those of docs/product.md#limits', () => {
  expect({
    path: share.cardPath('1abc'),
    file: share.QR_FILE_NAME,
    size: share.QR_SIZE_PX,
    level: share.QR_LEVEL,
    quietZone: share.QR_QUIET_ZONE_MODULES,
  }).toEqual({ path: '/user/1abc', file: 'MY_QR.png', size: 256, level: 'L', quietZone: 4 });
});
