import { expect, test } from 'vitest';

import type { Profile } from '#domain/profile.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { applyChanges, isEmpty, omitEqual } from './changes.ts';
import type { Changes } from './changes.ts';
import { isSameInProfile } from '#web/shared/profile/draft.ts';

const HANDLES = { X: 'https://x.com/asha', Maps: 'https://maps.example/a' };
const TEXTS = { name: 'Asha', bio: 'Architect', phone: '+91 80 1234 5678' };
const PROFILE: Profile = { ...EMPTY_PROFILE, ...TEXTS, socialMediaHandles: HANDLES };
const effective = (changes: Changes) => omitEqual(changes, PROFILE, isSameInProfile);

test('changes: are applied field by field and network by network', () => {
  const changes = { name: 'Asha Rao', phone: '', bio: undefined, socialMediaHandles: { X: null } };
  const socialMediaHandles = { ...HANDLES, X: null };
  const expected = { ...PROFILE, name: 'Asha Rao', phone: '', socialMediaHandles };
  expect(applyChanges(PROFILE, changes)).toEqual(expected);
  expect(applyChanges(PROFILE, {})).toEqual(PROFILE);
  expect(applyChanges<Changes>({}, { hi: { name: 'आशा' } })).toEqual({ hi: { name: 'आशा' } });
});

test('changes: only values that differ as they are sent are effective', () => {
  const changed = { Maps: null, Web: 'https://asha.example' };
  const texts = { name: 'Asha ', bio: 'Architect', designation: 'Partner\t', phone: '' };
  const handles = { X: 'https://x.com/asha', Behance: null, ...changed };
  const expected = { designation: 'Partner\t', phone: '', socialMediaHandles: changed };
  expect(effective({ ...texts, socialMediaHandles: handles })).toEqual(expected);
  const same = [{}, { name: 'Asha ' }, { socialMediaHandles: { Web: null } }];
  const others = [{ X: null }, { Web: 'https://asha.example' }];
  const ofHandles = others.map((socialMediaHandles) => ({ socialMediaHandles }));
  const different = [{ bio: 'Hello' }, { bio: '' }, ...ofHandles];
  expect([...same, ...different].filter((one) => !isEmpty(effective(one)))).toEqual(different);
});

test('changes: what was saved is dropped, and what was typed meanwhile or is not known stays', () => {
  const typed = { profile: { name: 'A', bio: 'B ' }, extras: { address: '', upi: 'a@b' } };
  const sent = { profile: { name: 'A', bio: 'B' } };
  const kept = { profile: { bio: 'B ' }, extras: typed.extras };
  expect(omitEqual(typed, sent)).toEqual(kept);
  expect(omitEqual(typed, typed)).toEqual({});
});
