import { beforeAll, expect, test, vi } from 'vitest';

import { mapProfileFields } from '#domain/profile-field.ts';

import { removeChanges, storeChanges, storedChanges } from './stored-changes.ts';

const entries = new Map<string, string>();

beforeAll(() => {
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => entries.set(key, value),
    removeItem: (key: string) => entries.delete(key),
  });
  return () => void vi.unstubAllGlobals();
});

test('stored changes: are returned until they are removed', () => {
  const socialMediaHandles = { X: null, Whatsapp: '1' };
  const changes = { ...mapProfileFields((name) => `a ${name}`), phone: '', socialMediaHandles };
  storeChanges('key', changes);
  expect(storedChanges('key')).toEqual(changes);
  expect(storedChanges('another key')).toEqual({});
  removeChanges('key');
  expect(storedChanges('key')).toEqual({});
});

test.each([
  ['not JSON', {}],
  ['null', {}],
  ['[]', {}],
  ['{"socialMediaHandles":7}', {}],
  ['{"name":7,"bio":"a\\u0000b","_id":"x","socialMediaHandles":{"X":7,"Y":"y"}}', { bio: 'ab' }],
])('stored changes: %s is read as %j', (text, expected) => {
  entries.set('key', text);
  expect(storedChanges('key')).toEqual(expected);
});
