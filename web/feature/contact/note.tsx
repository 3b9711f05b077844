import { useEffect, useEffectEvent, useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import { saveNote } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { NOTE_LENGTH_MAX } from '#domain/contact.ts';
import { cleanInput } from '#domain/text.ts';
import { send } from '#web/shared/http/call.ts';
import { ownerParams } from '#web/shared/http/query.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Field } from '#web/shared/ui/field.tsx';

import type { Drafts } from './use-drafts.ts';

const ROWS = 4;

interface NoteProps {
  readonly contact: OwnContact;
  readonly drafts: Drafts;
  readonly onSaved: (note: string) => void;
}

/** Saved when it is left. Text that could not be saved stays, also if the contact is closed. */
export function Note({ contact: { _id, note }, drafts, onSaved }: NoteProps) {
  const [isSaved, setSaved] = useState(false);
  const { mutate, isPending, error } = useMutation({
    // One after the other, so that the newest is stored last.
    scope: { id: _id },
    mutationFn: (sent: string) =>
      send(saveNote, { params: ownerParams(), body: { contact: _id, note: sent } }),
    onSuccess: ({ body }, sent) => {
      onSaved(body.note);
      drafts.remove(_id, sent);
      setSaved(true);
    },
    onError: () => drafts.fail(_id),
  });
  const draft = drafts.get(_id);
  const value = draft?.note ?? note;

  const save = () => mutate(cleanInput(value));
  const saveOnClose = useEffectEvent(() => {
    if (draft && !draft.hasFailed && !isPending) save();
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
          if (typed === note && !isPending) drafts.remove(_id);
          else drafts.set(_id, typed);
        }}
        onLeave={() => draft && save()}
      />
      <Button type="submit" isBusy={isPending}>
        Save note
      </Button>
      <output className={error ? 'error' : ''}>
        {error?.message ?? (isSaved && !draft ? 'Saved.' : draft && !isPending && 'Not saved.')}
      </output>
    </form>
  );
}
