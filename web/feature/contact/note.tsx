import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import { saveNote } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { NOTE_LENGTH_MAX } from '#domain/contact.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { cleanInput } from '#domain/text.ts';
import { send } from '#web/shared/http/call.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Field } from '#web/shared/ui/field.tsx';

import type { Drafts } from './note-drafts.ts';
import type { Selection } from './selection.tsx';
import type { Contacts } from './use-contacts.ts';

const ROWS = 4;
const NOT_SAVED = "This note isn't saved yet.";
/** The note is saved after this pause in the typing. */
const PAUSE_MS = SECOND_MS;

interface NoteProps {
  readonly contact: OwnContact;
  readonly drafts: Drafts;
  readonly onSaved: (note: string) => void;
}

interface UnsavedNotesProps {
  readonly drafts: Drafts;
  readonly selection: Selection;
  readonly lists: readonly Contacts[];
}

/** Lists the contacts whose private notes could not be saved, now or before the page was last loaded. */
export function UnsavedNotes({ drafts, selection, lists }: UnsavedNotesProps) {
  // An open contact shows its own note.
  const others = drafts.failed.filter(({ contactId }) => contactId !== selection.selected?._id);
  if (others.length === 0) return null;
  const open = (id: string) => {
    const contacts = lists.flatMap(({ found }) => found?.contacts ?? []);
    const contact = contacts.find(({ _id }) => _id === id);
    if (contact) selection.select(contact);
    else selection.open(id);
  };
  return (
    <div className="contacts-waiting note-box">
      {others.map(({ contactId, name }) => (
        <div key={contactId} className="row">
          <p role="alert">
            <bdi>{name}</bdi>: The private note isn't saved yet.
          </p>
          <Button onClick={() => open(contactId)}>Open</Button>
          <Button onClick={() => drafts.remove(contactId)}>Discard</Button>
        </div>
      ))}
    </div>
  );
}

/** Saves itself. A note that could not be saved is kept, even if the contact is closed. */
export function Note({ contact, drafts, onSaved }: NoteProps) {
  const { _id, note } = contact;
  const [isSaved, setSaved] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const { mutate, isPending, variables, error } = useMutation({
    // Saves of one contact run one after the other, so that the newest note is stored last.
    scope: { id: _id },
    mutationFn: (sent: string) =>
      send(saveNote, { body: { contact: _id, note: sent, base: drafts.baseOf(contact) } }),
    onSuccess: ({ body }, sent) => {
      onSaved(body.note);
      drafts.settle(_id, sent, body.note);
      setSaved(true);
    },
    onError: () => drafts.fail(_id),
  });
  const draft = drafts.get(contact);
  const { note: value, hasFailed } = draft ?? { note, hasFailed: false };

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
          else drafts.set(contact, typed);
        }}
        onLeave={saveOnLeave}
        note={isSaved && !draft ? 'Saved' : ''}
        error={hasFailed ? (error?.message ?? NOT_SAVED) : ''}
      />
      {hasFailed && (
        <Button isBusy={isPending} onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}
