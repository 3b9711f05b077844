import { expect, test } from 'vitest';

import * as share from './share.ts';

test('sharing: has the texts, paths and values of docs/product.md', () => {
  const link = 'https://a.example/user/1';
  expect({
    ...share,
    text: share.shareText('Tessera'),
    copied: share.copiedMessage(link),
    paths: [share.cardPath('1abc'), share.currentPhotoPath('1abc'), share.passPath('1abc')],
  }).toMatchObject({
    text: 'Hey Check Out My Digital Business Card at Tessera',
    copied: `Copied: ${link}`,
    paths: ['/user/1abc', '/user/1abc/photo.jpg', '/user/1abc/card.pkpass'],
    QR_SCREEN_PATH: '/dashboard?qr',
    QR_FILE_NAME: 'MY_QR.png',
    QR_SIZE_PX: 256,
    QR_LEVEL: 'L',
    QR_QUIET_ZONE_MODULES: 4,
  });
});
