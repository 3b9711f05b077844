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

test('edit: what is typed is submitted and saved', () => {
  const { submission, saving } = submit(dirty);
  expect([IDLE.phase, dirty.phase, saving.phase]).toEqual(['idle', 'dirty', 'saving']);
  expect(reduceEdit(saving, { kind: 'saved', submission })).toEqual(IDLE);
});

test('edit: without a network it is queued, and text that is typed later is not', () => {
  const { submission, saving } = submit(dirty);
  const queued = reduceEdit(saving, { kind: 'queued', submission });
  expect(queued).toMatchObject({ phase: 'queued', draft: { bio: 'Hello' } });
  expect(type(queued, { name: 'Asha' })).toMatchObject({
    phase: 'dirty',
    draft: { bio: 'Hello', name: 'Asha' },
  });
});

test.each(['saved', 'queued', 'failed'] as const)(
  'edit: text that is typed during a save is not %s',
  (kind) => {
    const { submission, saving } = submit(dirty);
    const typed = type(saving, { name: 'Asha' });
    expect(typed.phase).toBe('saving');
    expect(reduceEdit(typed, { kind, submission })).toMatchObject({
      phase: 'failed',
      draft: { bio: 'Hello', name: 'Asha' },
    });
  },
);

test('edit: the result of an earlier submission says nothing about the last one', () => {
  const first = submit(dirty);
  const second = submit(type(first.saving, { name: 'Asha' }));
  const saving = { ...second.saving };
  for (const kind of ['saved', 'queued', 'failed'] as const) {
    expect(reduceEdit(saving, { kind, submission: first.submission })).toEqual(saving);
  }
});

test('edit: a failure stays until the next submission', () => {
  const { submission, saving } = submit(dirty);
  const failed = reduceEdit(saving, { kind: 'failed', submission });
  expect(type(failed, { name: 'Asha' })).toMatchObject({ phase: 'failed', submission });
});

test('edit: after the end of the session nothing changes its phase', () => {
  const ended = reduceEdit(submit(dirty).saving, { kind: 'ended' });
  expect(type(ended, { name: 'Asha' })).toMatchObject({
    phase: 'ended',
    draft: { bio: 'Hello', name: 'Asha' },
  });
});

test('edit: opens with the changes that are queued, and over them those that were typed', () => {
  const queued = { bio: 'Hello', name: 'A' };
  expect(openEdit(queued, {})).toMatchObject({ phase: 'queued', draft: queued });
  expect(openEdit(queued, { name: 'Asha' })).toEqual({
    phase: 'failed',
    draft: { bio: 'Hello', name: 'Asha' },
    submission: { changes: queued, draft: null },
  });
  expect(openEdit(undefined, { name: 'Asha' })).toMatchObject({ phase: 'failed' });
});
