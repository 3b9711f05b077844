import { expect, test } from 'vitest';

import type { Profile } from '#domain/profile.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { applyChanges, effectiveChanges, hasChanges } from './draft.ts';

const HANDLES = { X: 'https://x.com/asha', Maps: 'https://maps.example/a' };
const TEXTS = { name: 'Asha', bio: 'Architect', phone: '+91 80 1234 5678' };
const PROFILE: Profile = { ...EMPTY_PROFILE, ...TEXTS, socialMediaHandles: HANDLES };

test('changes: are applied field by field and network by network', () => {
  const changes = { name: 'Asha Rao', phone: '', socialMediaHandles: { X: null } };
  const socialMediaHandles = { ...HANDLES, X: null };
  expect(applyChanges(PROFILE, changes)).toEqual({ ...PROFILE, ...changes, socialMediaHandles });
  expect(applyChanges(PROFILE, {})).toEqual(PROFILE);
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
