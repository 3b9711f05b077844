import { expect, test } from 'vitest';

import type { Profile } from '#domain/profile.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { applyDraft, createApplyChanges } from './draft.ts';

const socialMediaHandles = { X: 'https://x.example/asha', Web: 'https://asha.example' };
const TEXTS = { name: 'Asha', bio: 'Architect', phone: '+91 80 1234 5678' };
const PROFILE: Profile = { ...EMPTY_PROFILE, ...TEXTS, socialMediaHandles };
const LOGIN_PHONE = '+919876543210';

test('onboarding draft: the saved phone is not replaced by the login phone, an empty one is', () => {
  expect(applyDraft(PROFILE, {}, LOGIN_PHONE)).toEqual(PROFILE);
  expect(applyDraft({ ...PROFILE, phone: '' }, {}, LOGIN_PHONE).phone).toBe(LOGIN_PHONE);
});

test('onboarding draft: a newer profile loses only what was typed', () => {
  const draft = { name: 'Asha Rao', email: '', socialMediaHandles: { X: null } };
  const newest = { ...PROFILE, name: 'A.', email: 'a@rao.example', phone: '' };
  const expected = { ...newest, name: 'Asha Rao', phone: LOGIN_PHONE };
  expect(createApplyChanges(PROFILE, draft, LOGIN_PHONE)(newest)).toEqual({
    ...expected,
    socialMediaHandles: { ...socialMediaHandles, X: null },
  });
});
