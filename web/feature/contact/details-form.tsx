import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';

import { editContact } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { LEAD_LENGTHS_MAX } from '#domain/lead-schema.ts';
import { isIncompleteLead } from '#domain/lead.ts';
import { cleanInput, trimText } from '#domain/text.ts';
import { storedId } from '#web/shared/http/session.ts';
import { useCall } from '#web/shared/http/use-call.ts';
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
type Details = Pick<OwnContact, DetailName>;
const INCOMPLETE = 'A contact has a name, and a mobile or an email.';

interface DetailsFormProps {
  readonly contact: OwnContact;
  readonly onSaved: (patch: Partial<OwnContact>) => void;
  readonly onCancel: () => void;
}

export function DetailsForm({ contact, onSaved, onCancel }: DetailsFormProps) {
  const { isBusy, failure, run } = useCall();
  const [typed, setTyped] = useState<Details>(contact);
  const [isIncomplete, setIncomplete] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus({ preventScroll: true }), []);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    const details = cleanDetails(typed);
    setIncomplete(isIncompleteLead(details));
    if (isBusy || isIncompleteLead(details)) return;
    const body = { contact: contact._id, details };
    const reply = await run(editContact, { params: { id: storedId() ?? '' }, body });
    if (reply) onSaved(reply);
  };
  return (
    <form className="contact-edit" onSubmit={(event) => void save(event)}>
      {DETAIL_NAMES.map((name) => (
        <Field
          key={name}
          {...DETAILS[name]}
          value={typed[name]}
          lengthMax={LEAD_LENGTHS_MAX[name]}
          onChange={(value) => setTyped((before) => ({ ...before, [name]: value }))}
          autoComplete="off"
          {...(name === 'name' && { inputRef: first })}
        />
      ))}
      <output className="contact-failure">{isIncomplete ? INCOMPLETE : failure}</output>
      <div className="dialog-actions">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="main" isBusy={isBusy}>
          Save
        </Button>
      </div>
    </form>
  );
}

function cleanDetails(typed: Details): Details {
  const clean = (name: DetailName) => trimText(cleanInput(typed[name], LEAD_LENGTHS_MAX[name]));
  return {
    name: clean('name'),
    mobile: clean('mobile'),
    email: clean('email'),
    companyName: clean('companyName'),
  };
}
