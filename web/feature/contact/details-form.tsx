import { useEffect, useRef, useState } from 'react';
import type { Dispatch, FormEvent, RefObject, SetStateAction } from 'react';

import { useMutation } from '@tanstack/react-query';

import { editContact } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { LEAD_LENGTHS_MAX } from '#domain/lead-schema.ts';
import { isIncompleteLead } from '#domain/lead.ts';
import { cleanInput, trimText } from '#domain/text.ts';
import { send } from '#web/shared/http/call.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Field } from '#web/shared/ui/field.tsx';

/** In the order of the Connect form. */
export const DETAILS = {
  name: { label: 'Name' },
  mobile: { label: 'Mobile', inputMode: 'tel' },
  email: { label: 'Email', inputMode: 'email' },
  companyName: { label: 'Company' },
} as const;
type DetailName = keyof typeof DETAILS;
export const DETAIL_NAMES = Object.keys(DETAILS) as DetailName[];
export type Details = Pick<OwnContact, DetailName>;
export const INCOMPLETE = 'A contact has a name, and a mobile or an email.';

interface DetailsFormProps {
  readonly contact: OwnContact;
  readonly onSaved: (patch: Partial<OwnContact>) => void;
  readonly onCancel: () => void;
}

export function DetailsForm({ contact, onSaved, onCancel }: DetailsFormProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: (details: Details) =>
      send(editContact, { body: { contact: contact._id, details } }),
    onSuccess: ({ body }) => onSaved(body),
  });
  const [typed, setTyped] = useState<Details>(contact);
  const [isIncomplete, setIncomplete] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus({ preventScroll: true }), []);

  const save = (event: FormEvent) => {
    event.preventDefault();
    const details = cleanDetails(typed);
    setIncomplete(isIncompleteLead(details));
    if (!isPending && !isIncompleteLead(details)) mutate(details);
  };
  return (
    <form className="contact-edit" onSubmit={save}>
      <DetailFields typed={typed} firstRef={first} onChange={setTyped} />
      <output className="error">{isIncomplete ? INCOMPLETE : error?.message}</output>
      <div className="dialog-actions">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="main" isBusy={isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}

interface DetailFieldsProps {
  readonly typed: Details;
  readonly firstRef?: RefObject<HTMLInputElement | null>;
  readonly onChange: Dispatch<SetStateAction<Details>>;
}

export function DetailFields({ typed, firstRef, onChange }: DetailFieldsProps) {
  return DETAIL_NAMES.map((name) => (
    <Field
      key={name}
      {...DETAILS[name]}
      value={typed[name]}
      lengthMax={LEAD_LENGTHS_MAX[name]}
      onChange={(value) => onChange((before) => ({ ...before, [name]: value }))}
      autoComplete="off"
      {...(name === 'name' && firstRef && { inputRef: firstRef })}
    />
  ));
}

export function cleanDetails(typed: Details): Details {
  const clean = (name: DetailName) => trimText(cleanInput(typed[name]));
  return {
    name: clean('name'),
    mobile: clean('mobile'),
    email: clean('email'),
    companyName: clean('companyName'),
  };
}
