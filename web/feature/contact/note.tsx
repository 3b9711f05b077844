import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import { saveNote } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { NOTE_LENGTH_MAX } from '#domain/contact.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { PATHS } from '#domain/path.ts';
import { cleanInput } from '#domain/text.ts';
import { send } from '#web/shared/http/call.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Field } from '#web/shared/ui/field.tsx';
import { useUnsavedGuard } from '#web/shared/profile/draft.ts';

const ROWS = 4;
/** A pause in the typing saves. */
const PAUSE_MS = SECOND_MS;

interface NoteProps {
  readonly contact: OwnContact;
  readonly drafts: Drafts;
  readonly onSaved: (note: string) => void;
}

/** Saves itself. Text that could not be saved stays, also if the contact is closed. */
export function Note({ contact: { _id, note }, drafts, onSaved }: NoteProps) {
  const [isSaved, setSaved] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const { mutate, isPending, variables, error } = useMutation({
    // One after the other, so that the newest is stored last.
    scope: { id: _id },
    mutationFn: (sent: string) => send(saveNote, { body: { contact: _id, note: sent } }),
    onSuccess: ({ body }, sent) => {
      onSaved(body.note);
      drafts.remove(_id, sent);
      setSaved(true);
    },
    onError: () => drafts.fail(_id),
  });
  const draft = drafts.get(_id);
  const value = draft?.note ?? note;
  const hasFailed = draft?.hasFailed ?? false;

  const save = useEffectEvent(() => mutate(cleanInput(value)));
  useEffect(() => {
    if (!draft || draft.hasFailed || isPending) return undefined;
    const timer = setTimeout(() => save(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, isPending]);
  const saveOnClose = useEffectEvent(() => {
    if (draft && !hasFailed && !isPending) save();
  });
  useEffect(() => () => saveOnClose(), []);
  const saveOnLeave = () => {
    const sent = cleanInput(value);
    if (draft && !(isPending && variables === sent)) mutate(sent);
  };
  const retry = () =>
    // The pressed button disappears.
    mutate(cleanInput(value), {
      onSuccess: () => element.current?.querySelector('textarea')?.focus(),
    });
  return (
    <div ref={element}>
      <Field
        label="Private note"
        value={value}
        lengthMax={NOTE_LENGTH_MAX}
        rows={ROWS}
        autoCapitalize="sentences"
        onChange={(typed) => {
          setSaved(false);
          // During a save it is not known which note is stored.
          if (typed === note && !isPending) drafts.remove(_id);
          else drafts.set(_id, typed);
        }}
        onLeave={saveOnLeave}
        note={isSaved && !draft ? 'Saved' : ''}
        error={hasFailed ? error?.message : ''}
      />
      {hasFailed && (
        <Button isBusy={isPending} onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

const QUESTION = 'Leave without saving? A private note is not saved.';

interface Draft {
  readonly note: string;
  readonly hasFailed: boolean;
}

type DraftMap = ReadonlyMap<string, Draft>;

/** A save may end after the view was left. */
let kept: DraftMap = new Map();

/** Notes that are not saved, by contact. After a failed save, leaving the page needs a confirmation. */
export function useDrafts() {
  const [drafts, setDrafts] = useState(kept);
  const hasFailed = [...drafts.values()].some((draft) => draft.hasFailed);
  useUnsavedGuard({
    path: PATHS.contacts,
    hasUnsaved: drafts.size > 0,
    isSavedOnLeave: !hasFailed,
    question: QUESTION,
  });
  const update = (change: (before: DraftMap) => DraftMap) => {
    kept = change(kept);
    setDrafts(kept);
  };
  return {
    get: (id: string) => drafts.get(id),
    set: (id: string, note: string) =>
      update((before) => new Map([...before, [id, { note, hasFailed: false }]])),
    fail: (id: string) =>
      update((before) => {
        const draft = before.get(id);
        return draft ? new Map([...before, [id, { ...draft, hasFailed: true }]]) : before;
      }),
    /** `sent` is what was saved; undefined removes every text. */
    remove: (id: string, sent?: string) => update((before) => withoutSent(before, id, sent)),
  };
}

export type Drafts = ReturnType<typeof useDrafts>;

/** Stays if it was changed since. */
function withoutSent(drafts: DraftMap, id: string, sent?: string): DraftMap {
  const note = drafts.get(id)?.note;
  if (note === undefined) return drafts;
  if (sent !== undefined && cleanInput(note) !== sent) return drafts;
  return new Map([...drafts].filter(([one]) => one !== id));
}
