import { expect, test } from 'vitest';

import * as share from './share.ts';

test('sharing says the fixed sentence and the product’s name', () => {
  expect(share.shareText('Tessera')).toBe('Hey Check Out My Digital Business Card at Tessera');
});

test('copying says which link', () => {
  expect(share.copiedMessage('https://a.example/user/1')).toBe('Copied: https://a.example/user/1');
});

test('the card’s path and its QR code are as specified', () => {
  expect({
    path: share.cardPath('1abc'),
    file: share.QR_FILE_NAME,
    size: share.QR_SIZE_PX,
    level: share.QR_LEVEL,
    quietZone: share.QR_QUIET_ZONE_MODULES,
  }).toEqual({ path: '/user/1abc', file: 'MY_QR.png', size: 256, level: 'L', quietZone: 4 });
});
