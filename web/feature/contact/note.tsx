import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { saveNote } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { NOTE_LENGTH_MAX } from '#domain/contact-note.ts';
import { cleanInput } from '#domain/text.ts';
import { storedId } from '#web/shared/http/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Field } from '#web/shared/ui/field.tsx';

import { useCall } from '#web/shared/http/use-call.ts';
import type { Drafts } from './use-drafts.ts';

const ROWS = 4;

interface NoteProps {
  readonly contact: OwnContact;
  readonly drafts: Drafts;
  readonly onSaved: (note: string) => void;
}

/** Saved when it is left. Text that could not be saved stays, also if the contact is closed. */
export function Note({ contact: { _id, note }, drafts, onSaved }: NoteProps) {
  const { isBusy, failure, run } = useCall();
  const [isSaved, setSaved] = useState(false);
  /** One after the other, so that the newest is stored last. */
  const saves = useRef(Promise.resolve());
  const draft = drafts.get(_id);
  const value = draft?.note ?? note;

  const send = async (previous: Promise<void>) => {
    const sent = cleanInput(value, NOTE_LENGTH_MAX);
    await previous;
    const body = { contact: _id, note: sent };
    const reply = await run(saveNote, { params: { id: storedId() ?? '' }, body });
    if (!reply) return drafts.fail(_id);
    onSaved(reply.note);
    drafts.remove(_id, sent);
    setSaved(true);
  };
  const save = () => {
    saves.current = send(saves.current);
  };
  const saveOnClose = useEffectEvent(() => {
    if (draft && !draft.hasFailed && !isBusy) save();
  });
  useEffect(() => () => saveOnClose(), []);
  return (
    <form
      className="contact-note"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Field
        label="Private note"
        value={value}
        lengthMax={NOTE_LENGTH_MAX}
        rows={ROWS}
        autoCapitalize="sentences"
        onChange={(typed) => {
          setSaved(false);
          // During a save it is not known which note is stored.
          if (typed === note && !isBusy) drafts.remove(_id);
          else drafts.set(_id, typed);
        }}
        onLeave={() => draft && save()}
      />
      <Button type="submit" isBusy={isBusy}>
        Save note
      </Button>
      <output className={failure === '' ? '' : 'contact-failure'}>
        {failure || (isSaved && !draft ? 'Saved.' : draft && !isBusy && 'Not saved.')}
      </output>
    </form>
  );
}
