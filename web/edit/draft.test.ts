import { expect, test } from 'vitest';

import { PLACEHOLDER_PROFILE } from '#domain/profile.ts';
import type { Profile } from '#domain/profile.ts';

import { draftOf, hasChanges, mergeDraft } from './draft.ts';

const profile: Profile = {
  ...PLACEHOLDER_PROFILE,
  _id: 'AbCdEfGhJkMnPqRs',
  name: 'Asha',
  profilePhoto: '/photos/a.jpg',
  socialMediaHandles: { X: 'https://x.com/asha', Maps: 'https://maps.example/a' },
};

test('edit draft: merging returns the whole profile with the merged handles', () => {
  const draft = { ...draftOf(profile), name: 'Asha Rao', socialMediaHandles: { X: null } };
  expect(mergeDraft(profile, draft)).toEqual({
    ...profile,
    name: 'Asha Rao',
    socialMediaHandles: { X: null, Maps: 'https://maps.example/a' },
  });
});

test('edit draft: has changes only if the cleaned values differ', () => {
  const draft = draftOf(profile);
  const handles = { ...draft.socialMediaHandles };
  const drafts = [
    draft,
    { ...draft, name: 'Asha ' },
    { ...draft, socialMediaHandles: { ...handles, Web: null } },
    { ...draft, bio: 'Hello' },
    { ...draft, socialMediaHandles: { ...handles, X: null } },
    { ...draft, socialMediaHandles: { ...handles, Web: 'https://asha.example' } },
  ];
  expect(drafts.map((each) => hasChanges(profile, each))).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
  ]);
});
