import { expect, test } from 'vitest';

import { browserSettings } from './browser-settings.ts';

const PROVIDER = { scriptUrl: '/login.js', configuration: { appId: 'tessera' } };
const SETTINGS = {
  productName: 'Tessera',
  supportEmail: 'help@cards.example',
  publicUrl: '',
  apiUrl: '/api',
  serverUrl: '',
  iconBaseUrl: '',
  vitalsUrl: '',
  views: [],
  wallets: [],
};

test('browser settings: are read as the page embeds them, without other keys', () => {
  expect(browserSettings.parse({ ...SETTINGS, secret: 's' })).toEqual(SETTINGS);
  for (const kind of ['embedded', 'otpless', 'msg91', 'firebase']) {
    const settings = { ...SETTINGS, provider: { kind, ...PROVIDER } };
    expect(browserSettings.parse(settings)).toEqual(settings);
  }
});

test('browser settings: are rejected if one is absent or the provider is unknown', () => {
  const incomplete = Object.keys(SETTINGS).map((key) => ({ ...SETTINGS, [key]: undefined }));
  const kinds = ['', 'other'].map((kind) => ({ ...SETTINGS, provider: { kind, ...PROVIDER } }));
  const rejected = [...incomplete, ...kinds, { ...SETTINGS, provider: { kind: 'embedded' } }];
  expect(rejected.filter((one) => browserSettings.safeParse(one).success)).toEqual([]);
});
