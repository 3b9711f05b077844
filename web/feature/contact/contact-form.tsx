import './add-contact.css';

import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useMutation } from '@tanstack/react-query';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { TAG_LENGTH_MAX } from '#domain/contact.ts';
import { LEAD_LENGTHS_MAX } from '#domain/lead-schema.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { isIncompleteLead } from '#domain/lead.ts';
import { cleanIdentifier, cleanLineInput, trimText } from '#domain/text.ts';
import { readItem, writeItem } from '#web/shared/http/browser-storage.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { Field, onSubmit } from '#web/shared/ui/field.tsx';

import { addContact, removeWaiting, sendWaiting, useWaiting } from './waiting.ts';
import type { WaitingContact } from './waiting.ts';

/** The fields, in the order of the Connect form. */
export const DETAILS = {
  name: { label: 'Name' },
  mobile: { label: 'Mobile', inputMode: 'tel', isIdentifier: true },
  email: { label: 'Email', inputMode: 'email', isIdentifier: true },
  companyName: { label: 'Company' },
} as const;
export const DETAIL_NAMES = Object.keys(DETAILS) as (keyof Lead)[];

interface ContactFormProps {
  readonly initial: Lead;
  readonly submitLabel: string;
  /** Rejects with a CallError. */
  readonly save: (details: Lead) => Promise<void>;
  readonly onCancel: () => void;
  readonly children?: ReactNode;
}

export function ContactForm({ initial, submitLabel, save, onCancel, children }: ContactFormProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: save });
  const [typed, setTyped] = useState(initial);
  const [isIncomplete, setIncomplete] = useState(false);
  const firstInput = useRef<HTMLInputElement>(null);
  useEffect(() => firstInput.current?.focus({ preventScroll: true }), []);
  const submit = () => {
    const details = { ...typed };
    for (const name of DETAIL_NAMES)
      details[name] =
        'isIdentifier' in DETAILS[name]
          ? cleanIdentifier(typed[name])
          : trimText(cleanLineInput(typed[name]));
    setIncomplete(isIncompleteLead(details));
    if (!isPending && !isIncompleteLead(details)) mutate(details);
  };
  return (
    <form className="contact-edit" onSubmit={onSubmit(submit)}>
      {DETAIL_NAMES.map((name) => (
        <Field
          key={name}
          {...DETAILS[name]}
          value={typed[name]}
          lengthMax={LEAD_LENGTHS_MAX[name]}
          onChange={(value) => setTyped((before) => ({ ...before, [name]: value }))}
          autoComplete="off"
          {...(name === 'name' && { inputRef: firstInput })}
        />
      ))}
      {children}
      <output className="error">
        {isIncomplete ? 'A contact needs a name, and a mobile or an email.' : error?.message}
      </output>
      <div className="dialog-actions">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="main" isBusy={isPending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

interface AddContactProps {
  readonly rejected: WaitingContact | null;
  readonly onClose: () => void;
}

export function AddContact({ rejected, onClose }: AddContactProps) {
  const { name = '', mobile = '', email = '', companyName = '' } = rejected ?? {};
  // Every attempt uses the same id, because an attempt that seemed to fail may have got through.
  const [clientId] = useState(() => rejected?.clientId ?? createClientId());
  return (
    <Dialog title="Add contact" onClose={onClose}>
      <ContactForm
        initial={{ name, mobile, email, companyName }}
        submitLabel="Add"
        save={async (details) => {
          await addContact({
            ...details,
            clientId,
            tags: eventTags(),
            source: 'typed',
            addedAt: Date.now(),
            rejection: '',
          });
          onClose();
        }}
        onCancel={onClose}
      >
        <EventField />
      </ContactForm>
    </Dialog>
  );
}

/** This device stores the tag of all contacts that are added (docs/develop/product.md#storage-keys). */
const EVENT_KEY = BROWSER_STORAGE.localStorage.event;

/** Returns the tag in the box 'Event', or no tag if the box is empty. */
export function eventTags(): string[] {
  const tag = trimText(cleanLineInput(readItem(EVENT_KEY) ?? ''));
  return tag === '' ? [] : [tag];
}

export function EventField() {
  const [event, setEvent] = useState(() => readItem(EVENT_KEY) ?? '');
  return (
    <Field
      label="Event"
      value={event}
      lengthMax={TAG_LENGTH_MAX}
      onChange={(value) => {
        setEvent(value);
        writeItem(EVENT_KEY, value);
      }}
      note="Tags everyone you add, such as 'Dental Expo'."
      autoComplete="off"
    />
  );
}

/** Returns a UUID of version 4. Over plain HTTP, browsers have no `crypto.randomUUID`. */
export function createClientId(): string {
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (Number(digit) ^ (random & (15 >> (Number(digit) / 4)))).toString(16);
  });
}

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
          <p className="muted">Saved on this device until we can reach the service.</p>
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
