import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';

import { PROFILE_FIELDS, PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import type { ProfileChange } from '#domain/profile.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { openEdit, reduceEdit } from './edit.ts';
import type { Edit } from './edit.ts';
import { Fields } from './form.tsx';

const IDLE = openEdit(undefined, {});
const type = (edit: Edit, changes: ProfileChange) => reduceEdit(edit, { kind: 'typed', changes });
const submit = (edit: Edit) => {
  const submission = { changes: edit.draft, draft: edit.draft };
  return { submission, saving: reduceEdit(edit, { kind: 'saving', submission }) };
};
const dirty = type(IDLE, { bio: 'Hello' });
const { submission, saving } = submit(dirty);
const NAME = { name: 'Asha' };
const BOTH = { bio: 'Hello', ...NAME };
const RESULTS = ['saved', 'queued', 'failed'] as const;

test.each(RESULTS)('edit: text that is typed during a save is not %s', (kind) => {
  const typed = type(saving, NAME);
  expect(typed.phase).toBe('saving');
  expect(reduceEdit(typed, { kind, submission })).toMatchObject({ phase: 'failed', draft: BOTH });
});

test.each(RESULTS)('edit: an earlier submission that is %s says nothing about the last', (kind) => {
  const last = submit(type(saving, NAME)).saving;
  expect(reduceEdit(last, { kind, submission })).toEqual(last);
});

test('edit: a failure stays until the next submission, and the end of the session for good', () => {
  const failed = reduceEdit(saving, { kind: 'failed', submission });
  expect(type(failed, NAME)).toMatchObject({ phase: 'failed', submission });
  const ended = reduceEdit(saving, { kind: 'ended' });
  expect(type(ended, NAME)).toMatchObject({ phase: 'ended', draft: BOTH });
});

test('edit: opens with the changes that are queued, and over them those that were typed', () => {
  const queued = { bio: 'Hello', name: 'A' };
  expect(openEdit(queued, {})).toMatchObject({ phase: 'queued', draft: queued });
  const stored = { changes: queued, draft: null };
  expect(openEdit(queued, NAME)).toEqual({ phase: 'failed', draft: BOTH, submission: stored });
  expect(openEdit(undefined, NAME)).toMatchObject({ phase: 'failed' });
});

test('Edit Profile: has an input for each field, and no other', () => {
  const html = renderToStaticMarkup(<Fields card={EMPTY_PROFILE} onChange={() => undefined} />);
  const inputs = (html.match(/<(?:input|textarea)[^>]*>/g) ?? []).map((tag) =>
    ['name', 'maxlength', 'autocomplete']
      .map((name) => new RegExp(` ${name}="([^"]*)"`, 'i').exec(tag)?.[1])
      .join(' '),
  );
  const expected = PROFILE_FIELD_NAMES.map((field) => {
    const { lengthMax, autoComplete, label } = PROFILE_FIELDS[field];
    expect(html).toContain(`>${label}</label>`);
    return `${field} ${lengthMax} ${autoComplete}`;
  });
  expect(inputs.toSorted()).toEqual(expected.toSorted());
});
