import { expect, test } from 'vitest';

import type { ProfileChange } from '#domain/profile.ts';

import { openEdit, reduceEdit } from './edit.ts';
import type { Edit } from './edit.ts';

const IDLE = openEdit(undefined, {});
const type = (edit: Edit, changes: ProfileChange) => reduceEdit(edit, { kind: 'typed', changes });
const submit = (edit: Edit) => {
  const submission = { changes: edit.draft, draft: edit.draft };
  return { submission, saving: reduceEdit(edit, { kind: 'saving', submission }) };
};
const dirty = type(IDLE, { bio: 'Hello' });
const NAME = { name: 'Asha' };
const BOTH = { bio: 'Hello', ...NAME };
const RESULTS = ['saved', 'queued', 'failed'] as const;

test('edit: what is typed is submitted and saved', () => {
  const { submission, saving } = submit(dirty);
  expect([IDLE.phase, dirty.phase, saving.phase]).toEqual(['idle', 'dirty', 'saving']);
  expect(reduceEdit(saving, { kind: 'saved', submission })).toEqual(IDLE);
});

test('edit: without a network it is queued, and text that is typed later is not', () => {
  const { submission, saving } = submit(dirty);
  const queued = reduceEdit(saving, { kind: 'queued', submission });
  expect(queued).toMatchObject({ phase: 'queued', draft: { bio: 'Hello' } });
  expect(type(queued, NAME)).toMatchObject({ phase: 'dirty', draft: BOTH });
});

test.each(RESULTS)('edit: text that is typed during a save is not %s', (kind) => {
  const { submission, saving } = submit(dirty);
  const typed = type(saving, NAME);
  expect(typed.phase).toBe('saving');
  expect(reduceEdit(typed, { kind, submission })).toMatchObject({ phase: 'failed', draft: BOTH });
});

test('edit: the result of an earlier submission says nothing about the last one', () => {
  const first = submit(dirty);
  const { saving } = submit(type(first.saving, NAME));
  for (const kind of RESULTS)
    expect(reduceEdit(saving, { kind, submission: first.submission })).toEqual(saving);
});

test('edit: a failure stays until the next submission, and the end of the session for good', () => {
  const { submission, saving } = submit(dirty);
  const failed = reduceEdit(saving, { kind: 'failed', submission });
  expect(type(failed, NAME)).toMatchObject({ phase: 'failed', submission });
  const ended = reduceEdit(saving, { kind: 'ended' });
  expect(type(ended, NAME)).toMatchObject({ phase: 'ended', draft: BOTH });
});

test('edit: opens with the changes that are queued, and over them those that were typed', () => {
  const queued = { bio: 'Hello', name: 'A' };
  expect(openEdit(queued, {})).toMatchObject({ phase: 'queued', draft: queued });
  const submission = { changes: queued, draft: null };
  expect(openEdit(queued, NAME)).toEqual({ phase: 'failed', draft: BOTH, submission });
  expect(openEdit(undefined, NAME)).toMatchObject({ phase: 'failed' });
});
