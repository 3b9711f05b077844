import { expect, test } from 'vitest';

import { deviceName } from './device-name.ts';

const CHROME =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

test.each([
  [CHROME, 'Chrome on Android'],
  [SAFARI, 'Safari on iOS'],
  ['curl/8.5', ''],
  ['', ''],
  [undefined, ''],
  ['\u202e<script>', ''],
  // A very long header is not parsed.
  [`${CHROME} ${'x'.repeat(10_000)}`, ''],
])('device name: of %j is %j', (agent, name) => {
  expect(deviceName(agent)).toBe(name);
});
