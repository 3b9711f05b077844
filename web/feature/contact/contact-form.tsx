import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';

import { useMutation } from '@tanstack/react-query';

import type { Lead } from '#domain/lead-schema.ts';
import { LEAD_LENGTHS_MAX } from '#domain/lead-schema.ts';
import { isIncompleteLead } from '#domain/lead.ts';
import { cleanInput, trimText } from '#domain/text.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Field } from '#web/shared/ui/field.tsx';

/** In the order of the Connect form. */
export const DETAILS = {
  name: { label: 'Name' },
  mobile: { label: 'Mobile', inputMode: 'tel' },
  email: { label: 'Email', inputMode: 'email' },
  companyName: { label: 'Company' },
} as const;
export const DETAIL_NAMES = Object.keys(DETAILS) as (keyof Lead)[];

interface ContactFormProps {
  readonly start: Lead;
  /** The name of the button. */
  readonly action: string;
  /** Rejects with a CallError. */
  readonly save: (details: Lead) => Promise<void>;
  readonly onCancel: () => void;
  /** More fields. */
  readonly children?: ReactNode;
}

export function ContactForm({ start, action, save, onCancel, children }: ContactFormProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: save });
  const [typed, setTyped] = useState(start);
  const [isIncomplete, setIncomplete] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus({ preventScroll: true }), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const details = { ...typed };
    for (const name of DETAIL_NAMES) details[name] = trimText(cleanInput(typed[name]));
    setIncomplete(isIncompleteLead(details));
    if (!isPending && !isIncompleteLead(details)) mutate(details);
  };
  return (
    <form className="contact-edit" onSubmit={submit}>
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
      {children}
      <output className="error">
        {isIncomplete ? 'A contact has a name, and a mobile or an email.' : error?.message}
      </output>
      <div className="dialog-actions">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="main" isBusy={isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}
