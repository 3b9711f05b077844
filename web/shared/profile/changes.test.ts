import { beforeAll, expect, test, vi } from 'vitest';

import { mapProfileFields } from '#domain/profile-field.ts';
import type { Profile } from '#domain/profile.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { applyChanges, effectiveChanges, hasChanges, mergeChanges } from './changes.ts';
import { removeChanges, storeChanges, storedChanges } from './stored-changes.ts';

const HANDLES = { X: 'https://x.com/asha', Maps: 'https://maps.example/a' };
const TEXTS = { name: 'Asha', bio: 'Architect', phone: '+91 80 1234 5678' };
const PROFILE: Profile = { ...EMPTY_PROFILE, ...TEXTS, socialMediaHandles: HANDLES };

test('changes: are applied field by field and network by network', () => {
  const changes = { name: 'Asha Rao', phone: '', socialMediaHandles: { X: null } };
  const socialMediaHandles = { ...HANDLES, X: null };
  expect(applyChanges(PROFILE, changes)).toEqual({ ...PROFILE, ...changes, socialMediaHandles });
  expect(applyChanges(PROFILE, {})).toEqual(PROFILE);
});

test('changes: of two tabs are merged field by field and network by network', () => {
  const older = { bio: 'Hello', name: 'A', socialMediaHandles: { X: null, Maps: null } };
  const newer = { name: 'Asha', socialMediaHandles: { X: 'https://x.com/asha' } };
  const socialMediaHandles = { X: 'https://x.com/asha', Maps: null };
  expect(mergeChanges(older, newer)).toEqual({ bio: 'Hello', name: 'Asha', socialMediaHandles });
});

test('changes: only cleaned values that differ are effective', () => {
  const changed = { Maps: null, Web: 'https://asha.example' };
  const texts = { name: 'Asha ', bio: 'Architect', designation: 'Principal\tArchitect', phone: '' };
  const handles = { X: 'https://x.com/asha', Behance: null, ...changed };
  const expected = { designation: 'Principal Architect', phone: '', socialMediaHandles: changed };
  expect(effectiveChanges(PROFILE, { ...texts, socialMediaHandles: handles })).toEqual(expected);
  const same = [{}, { name: 'Asha ' }, { socialMediaHandles: { Web: null } }];
  const others = [{ X: null }, { Web: 'https://asha.example' }];
  const ofHandles = others.map((socialMediaHandles) => ({ socialMediaHandles }));
  const different = [{ bio: 'Hello' }, { bio: '' }, ...ofHandles];
  const found = [...same, ...different].filter((changes) => hasChanges(PROFILE, changes));
  expect(found).toEqual(different);
});

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
  expect([storedChanges('key'), storedChanges('another key')]).toEqual([changes, {}]);
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
