import './add-contact.css';

import { useState } from 'react';
import type { FormEvent } from 'react';

import { useMutation } from '@tanstack/react-query';

import { TAG_LENGTH_MAX } from '#domain/contact.ts';
import { isIncompleteLead } from '#domain/lead.ts';
import { cleanInput, trimText } from '#domain/text.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { Field } from '#web/shared/ui/field.tsx';

import { DetailFields, INCOMPLETE, cleanDetails } from './details-form.tsx';
import type { Details } from './details-form.tsx';
import { addContact, removeWaiting, sendWaiting, useEvent, useWaiting } from './waiting.ts';
import type { WaitingContact } from './waiting.ts';

const NOBODY = { name: '', mobile: '', email: '', companyName: '' };

interface AddContactProps {
  /** One that the service has rejected. */
  readonly rejected: WaitingContact | null;
  readonly onClose: () => void;
}

export function AddContact({ rejected, onClose }: AddContactProps) {
  const [typed, setTyped] = useState<Details>(rejected ?? NOBODY);
  const [event, setEvent] = useEvent();
  const [isIncomplete, setIncomplete] = useState(false);
  const { mutate, isPending, error } = useMutation({ mutationFn: addContact, onSuccess: onClose });

  const add = (submitted: FormEvent) => {
    submitted.preventDefault();
    const details = cleanDetails(typed);
    setIncomplete(isIncompleteLead(details));
    if (isPending || isIncompleteLead(details)) return;
    mutate({
      ...details,
      clientId: rejected?.clientId ?? newClientId(),
      tags: eventTags(event),
      source: 'typed',
      addedAt: Date.now(),
      rejection: '',
    });
  };
  return (
    <Dialog title="Add contact" onClose={onClose}>
      <form onSubmit={add}>
        <DetailFields typed={typed} onChange={setTyped} />
        <EventField event={event} onChange={setEvent} />
        <output className="error">{isIncomplete ? INCOMPLETE : error?.message}</output>
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="main" isBusy={isPending}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface EventFieldProps {
  readonly event: string;
  readonly onChange: (event: string) => void;
}

export function EventField({ event, onChange }: EventFieldProps) {
  return (
    <Field
      label="Event"
      value={event}
      lengthMax={TAG_LENGTH_MAX}
      onChange={onChange}
      note="A tag for all that you add, until you change it."
      autoComplete="off"
    />
  );
}

export function eventTags(event: string): string[] {
  const tag = trimText(cleanInput(event));
  return tag === '' ? [] : [tag];
}

/** A UUID of version 4. `crypto.randomUUID` is absent over plain HTTP. */
export function newClientId(): string {
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (Number(digit) ^ (random & (15 >> (Number(digit) / 4)))).toString(16);
  });
}

/** What is not sent yet; nothing if all is. */
export function WaitingNote({ onEdit }: { readonly onEdit: (contact: WaitingContact) => void }) {
  const all = useWaiting();
  const { mutate, isPending } = useMutation({ mutationFn: sendWaiting });
  const rejected = all.filter(({ rejection }) => rejection !== '');
  const count = all.length - rejected.length;
  if (all.length === 0) return null;
  return (
    <div className="contacts-waiting note-box">
      {count > 0 && (
        <div className="row">
          <output>{`${count} waiting`}</output>
          <p className="muted">On this device only, until there is a network.</p>
          <Button isBusy={isPending} onClick={() => mutate()}>
            Send now
          </Button>
        </div>
      )}
      {rejected.map((contact) => (
        <div key={contact.clientId} className="row">
          <p role="alert">
            <bdi>{contact.name}</bdi>: {contact.rejection}
          </p>
          <Button onClick={() => onEdit(contact)}>Edit</Button>
          <Button onClick={() => void removeWaiting(contact)}>Remove</Button>
        </div>
      ))}
    </div>
  );
}
