import { expect, test } from 'vitest';

import { PAGE_SETTINGS } from '#tests/support/page-settings.ts';

import { browserSettings } from './browser-settings.ts';

const PROVIDER = { scriptUrl: '/login.js', configuration: { appId: 'tessera' } };

test('browser settings: are read as the page embeds them, without other keys', () => {
  expect(browserSettings.parse({ ...PAGE_SETTINGS, secret: 's' })).toEqual(PAGE_SETTINGS);
  for (const kind of ['embedded', 'otpless', 'msg91', 'firebase']) {
    const settings = { ...PAGE_SETTINGS, provider: { kind, ...PROVIDER } };
    expect(browserSettings.parse(settings)).toEqual(settings);
  }
});

test('browser settings: are rejected if one is absent or the provider is unknown', () => {
  const incomplete = Object.keys(PAGE_SETTINGS).map((key) => ({ [key]: undefined }));
  const kinds = ['', 'other'].map((kind) => ({ kind, ...PROVIDER }));
  const providers = [...kinds, { kind: 'embedded' }].map((provider) => ({ provider }));
  const rejected = [...incomplete, ...providers].map((wrong) => ({ ...PAGE_SETTINGS, ...wrong }));
  expect(rejected.filter((one) => browserSettings.safeParse(one).success)).toEqual([]);
});
