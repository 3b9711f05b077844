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
/** The note is saved after this pause in the typing. */
const PAUSE_MS = SECOND_MS;

interface NoteProps {
  readonly contact: OwnContact;
  readonly drafts: Drafts;
  readonly onSaved: (note: string) => void;
}

/** Saves itself. A note that could not be saved is kept, even if the contact is closed. */
export function Note({ contact: { _id, note }, drafts, onSaved }: NoteProps) {
  const [isSaved, setSaved] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const { mutate, isPending, variables, error } = useMutation({
    // Saves of one contact run one after the other, so that the newest note is stored last.
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
    // The focus moves to the text, because the pressed button disappears.
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
          // During a save, the page does not know which note the server has.
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

const QUESTION = "Leave without saving? A private note isn't saved yet.";

interface Draft {
  readonly note: string;
  readonly hasFailed: boolean;
}

type DraftMap = ReadonlyMap<string, Draft>;

/** The drafts outlive the view, because a save may end after the owner has left it. */
let unsavedNotes: DraftMap = new Map();

/** Manages the unsaved notes of all contacts. If a save has failed, leaving the page needs a confirmation. */
export function useDrafts() {
  const [drafts, setDrafts] = useState(unsavedNotes);
  const hasFailed = [...drafts.values()].some((draft) => draft.hasFailed);
  useUnsavedGuard({
    path: PATHS.contacts,
    hasUnsaved: drafts.size > 0,
    isSavedOnLeave: !hasFailed,
    question: QUESTION,
  });
  const update = (change: (before: DraftMap) => DraftMap) => {
    unsavedNotes = change(unsavedNotes);
    setDrafts(unsavedNotes);
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
    /** Removes the draft. If `sent` is given, a draft that differs from it stays. */
    remove: (id: string, sent?: string) => update((before) => withoutSent(before, id, sent)),
  };
}

export type Drafts = ReturnType<typeof useDrafts>;

/** Keeps the draft if it has changed since `sent` was sent. */
function withoutSent(drafts: DraftMap, id: string, sent?: string): DraftMap {
  const note = drafts.get(id)?.note;
  if (note === undefined) return drafts;
  if (sent !== undefined && cleanInput(note) !== sent) return drafts;
  return new Map([...drafts].filter(([one]) => one !== id));
}
