import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { settingsError } from '#tests/support/settings.ts';
import { readSettings, SECRET_NAMES } from '#server/settings/settings.ts';
import { newFolder } from '#tests/support/folder.ts';

const KEY = 'a-secret-of-more-than-32-characters';

let folder: string;
beforeEach(() => void (folder = newFolder()));

function save(content: string): string {
  const path = join(folder, 'secret');
  writeFileSync(path, content);
  return path;
}

test('secret files: the content without the final line break is the value', () => {
  expect(readSettings({ SECRET_FILE: save(`${KEY}\n`) }).secret).toBe(KEY);
});

test('secret files: exist for every secret setting, also of gateways, providers and the bucket', () => {
  expect(SECRET_NAMES).toEqual(
    expect.arrayContaining([
      'SECRET',
      'DATABASE_URL',
      'METRICS_TOKEN',
      'S3_SECRET_ACCESS_KEY',
      'SMS_WEBHOOK_SECRET',
      'TWILIO_AUTH_TOKEN',
      'MSG91_AUTH_KEY',
      'OTPLESS_CLIENT_SECRET',
    ]),
  );
  const path = save(KEY);
  const gateway = {
    SMS_GATEWAY: 'webhook',
    SMS_WEBHOOK_URL: 'https://gateway.example.com',
    SMS_WEBHOOK_SECRET_FILE: path,
  };
  expect(readSettings(gateway).gateways[0]?.keys).toMatchObject({ SMS_WEBHOOK_SECRET: KEY });
});

test('secret files: a missing file, an empty file and a secret set twice are errors that name the setting', () => {
  const missing = join(folder, 'missing');
  expect(settingsError({ SECRET_FILE: missing })).toBe(
    `SECRET_FILE: ${missing} cannot be read (ENOENT). Correct the path, or let the user of the service (uid ${process.getuid?.()}) read the file.`,
  );
  const empty = save('\n');
  expect(settingsError({ SECRET_FILE: empty })).toBe(
    `SECRET_FILE: ${empty} is empty. Write the secret into it.`,
  );
  expect(settingsError({ SECRET_FILE: save(KEY), SECRET: KEY })).toBe(
    'SECRET and SECRET_FILE are both set; remove one of them.',
  );
});

test('secret files: an error about the value does not repeat it', () => {
  expect(settingsError({ SECRET_FILE: save('hunter2') })).toBe(
    'SECRET must have at least 32 characters; this makes one: openssl rand -hex 32.',
  );
});
