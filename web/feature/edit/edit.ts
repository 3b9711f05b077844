import type { ProfileChange } from '#domain/profile.ts';

/** docs/product.md#edit-profile. */
export interface Edit {
  /**
   * - idle: nothing was typed since the last save
   * - dirty: typed, and not submitted
   * - saving: submitted, and not answered
   * - queued: submitted without a network, and on this device
   * - failed: not saved, or not all of it; the page says so
   * - ended: the session has ended
   */
  readonly phase: 'idle' | 'dirty' | 'saving' | 'queued' | 'failed' | 'ended';
  /** What was typed since the last save. */
  readonly draft: ProfileChange;
  /** The last one that is not saved. */
  readonly submission: Submission | null;
}

export interface Submission {
  readonly changes: ProfileChange;
  /** The draft at the time; null if more was typed before the page was opened. */
  readonly draft: ProfileChange | null;
}

type EditEvent =
  | { readonly kind: 'typed'; readonly changes: ProfileChange }
  | { readonly kind: 'saving' | 'saved' | 'queued' | 'failed'; readonly submission: Submission }
  | { readonly kind: 'ended' };

const IDLE: Edit = { phase: 'idle', draft: {}, submission: null };

/** With queued changes, and with typed ones from before. */
export function openEdit(queued: ProfileChange | undefined, typed: ProfileChange): Edit {
  const draft = { ...queued, ...typed };
  const hasTyped = Object.keys(typed).length > 0;
  const submission = queued ? { changes: queued, draft: hasTyped ? null : draft } : null;
  if (hasTyped) return { phase: 'failed', draft, submission };
  return queued ? { phase: 'queued', draft, submission } : IDLE;
}

export function reduceEdit(edit: Edit, event: EditEvent): Edit {
  const { phase, draft } = edit;
  if (event.kind === 'ended') return { ...edit, phase: 'ended' };
  if (event.kind === 'typed') {
    const isFirst = phase === 'idle' || phase === 'queued';
    return { ...edit, phase: isFirst ? 'dirty' : phase, draft: { ...draft, ...event.changes } };
  }
  const { kind, submission } = event;
  if (kind === 'saving') return { ...edit, phase: kind, submission };
  // The result of an earlier submission says nothing about the last one.
  if (submission !== edit.submission) return edit;
  const isWhole = submission.draft === draft;
  if (kind === 'saved') return isWhole ? IDLE : { ...edit, phase: 'failed', submission: null };
  return { ...edit, phase: isWhole ? kind : 'failed' };
}
