import { expect, test } from 'vitest';

import type { Profile } from '#domain/profile.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { applyChanges, effectiveChanges, hasChanges, mergeChanges } from './changes.ts';

const PROFILE: Profile = {
  ...EMPTY_PROFILE,
  name: 'Asha',
  bio: 'Architect',
  phone: '+91 80 1234 5678',
  profilePhoto: '/photos/a.jpg',
  socialMediaHandles: { X: 'https://x.com/asha', Maps: 'https://maps.example/a' },
};

test('changes: are applied field by field and network by network', () => {
  const changes = { name: 'Asha Rao', phone: '', socialMediaHandles: { X: null } };
  const socialMediaHandles = { X: null, Maps: 'https://maps.example/a' };
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
  const typed = { ...texts, socialMediaHandles: handles };
  const expected = { designation: 'Principal Architect', phone: '', socialMediaHandles: changed };
  expect(effectiveChanges(PROFILE, typed)).toEqual(expected);
});

test('changes: change the profile if a cleaned value differs', () => {
  const same = [{}, { name: 'Asha ' }, { socialMediaHandles: { Web: null } }];
  const handles = [{ X: null }, { Web: 'https://asha.example' }];
  const others = handles.map((socialMediaHandles) => ({ socialMediaHandles }));
  const different = [{ bio: 'Hello' }, { bio: '' }, ...others];
  const found = [...same, ...different].filter((changes) => hasChanges(PROFILE, changes));
  expect(found).toEqual(different);
});
