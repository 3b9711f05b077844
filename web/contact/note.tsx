import { useState } from 'react';
import type { FormEvent } from 'react';

import { saveNote } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { NOTE_LENGTH_MAX } from '#domain/contact-note.ts';
import { cleanInput } from '#domain/text.ts';
import { storedId } from '#web/http/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';

import { useCall } from '#web/http/use-call.ts';

const ROWS = 4;

interface NoteProps {
  readonly contact: OwnContact;
  readonly draft: string | undefined;
  readonly onDraft: (note: string | undefined) => void;
  /** Called with what is stored and what was sent. */
  readonly onSaved: (note: string, sent: string) => void;
}

/** Typed text stays until it is saved, also if the contact is closed. */
export function Note({ contact, draft, onDraft, onSaved }: NoteProps) {
  const { isBusy, failure, run } = useCall();
  const [isSaved, setSaved] = useState(false);
  const value = draft ?? contact.note;

  const save = async (event: FormEvent) => {
    event.preventDefault();
    const body = { contact: contact._id, note: cleanInput(value, NOTE_LENGTH_MAX) };
    const reply = await run(saveNote, { params: { id: storedId() ?? '' }, body });
    if (!reply) return;
    onSaved(reply.note, value);
    setSaved(true);
  };
  return (
    <form className="contact-note" onSubmit={(event) => void save(event)}>
      <Field
        label="Private note"
        value={value}
        lengthMax={NOTE_LENGTH_MAX}
        rows={ROWS}
        autoCapitalize="sentences"
        onChange={(note) => {
          setSaved(false);
          // During a save it is not known which note is stored.
          onDraft(note === contact.note && !isBusy ? undefined : note);
        }}
      />
      <Button type="submit" isBusy={isBusy}>
        Save note
      </Button>
      <output className={failure === '' ? '' : 'contact-failure'}>
        {failure ||
          (isSaved && draft === undefined ? 'Saved.' : draft !== undefined && 'Not saved.')}
      </output>
    </form>
  );
}
