import './follow-up.css';

import { useState } from 'react';
import type { ReactNode } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';

import { markContacted, saveTemplates } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import {
  FIRST_TEMPLATE,
  fillTemplate,
  PLACEHOLDERS,
  TEMPLATES_MAX,
  TEMPLATE_LENGTHS_MAX,
} from '#domain/follow-up.ts';
import type { Template } from '#domain/follow-up.ts';
import { cleanInput, cleanLineInput, trimText } from '#domain/text.ts';
import { send } from '#web/shared/http/call.ts';
import { storedId } from '#web/shared/http/storage.ts';
import { useCardLink } from '#web/shared/profile/card.ts';
import { profileQuery } from '#web/shared/profile/profile.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { dayHeading } from '#web/shared/ui/date-text.ts';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { Field, onSubmit } from '#web/shared/ui/field.tsx';
import { FailureBox } from '#web/shared/ui/note-box.tsx';

import { eventTags } from './contact-form.tsx';
import { MessageLinks } from './message-links.tsx';
import { Reminder } from './reminder.tsx';
import { reloadLists } from './use-contacts.ts';

interface FollowUpProps {
  readonly contact: OwnContact;
  readonly templates: readonly Template[];
  readonly hasPush: boolean;
  readonly onChange: (patch: Partial<OwnContact>) => void;
  /** What stands between the messages and the reminder. */
  readonly children: ReactNode;
}

/** Opens a message in WhatsApp or the mail program. This page sends no message itself. */
export function FollowUp({ contact, templates, hasPush, onChange, children }: FollowUpProps) {
  const { _id, contactedAt } = contact;
  const [chosen, setChosen] = useState(0);
  const [now] = useState(() => new Date());
  const all = templates.length > 0 ? templates : [FIRST_TEMPLATE];
  const text = useMessage(contact, all[chosen] ?? all[0] ?? FIRST_TEMPLATE);
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: () => send(markContacted, { body: { contact: _id } }),
    onSuccess: ({ body }) => onChange(body),
  });
  return (
    <section className="follow-up stack" aria-label="Follow up">
      <MessageLinks key={chosen} {...{ contact, text }} onOpen={() => mutate()} />
      {all.length > 1 && (
        <label className="row">
          Template
          <select
            className="field-input"
            value={chosen}
            onChange={({ target }) => setChosen(Number(target.value))}
          >
            {all.map(({ name }, index) => (
              // eslint-disable-next-line react/no-array-index-key -- a template has no id
              <option key={index} value={index}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {error && <FailureBox sentence={error.message} isBusy={isPending} onRetry={mutate} />}
      {contactedAt !== null && (
        <p className="muted">
          {`Last contact: ${dayHeading(new Date(contactedAt), now).replace(/^(?:Tod|Yes)/, (start) => start.toLowerCase())}`}
        </p>
      )}
      {children}
      <Reminder
        contact={contact}
        hasPush={hasPush}
        asksDone={isSuccess}
        onChange={(patch) => {
          reset();
          onChange(patch);
        }}
      />
    </section>
  );
}

function useMessage({ name, companyName, tags }: OwnContact, { text }: Template): string {
  const profile = useQuery(profileQuery()).data?.body;
  const card = useCardLink(storedId() ?? '');
  return fillTemplate(text, {
    name,
    company: companyName,
    // Only the tag in the box 'Event' may appear in a message. The owner's other tags are private.
    event: eventTags().find((event) => tags.includes(event)) ?? '',
    'my name': profile?.name ?? '',
    'my card': card,
  });
}

const ROWS = 4;
const EMPTY_TEMPLATE: Template = { name: '', text: '' };

interface TemplatesProps {
  readonly templates: readonly Template[];
  readonly onClose: () => void;
}

/** Edits the templates. Saving removes those without a text. */
export function Templates({ templates, onClose }: TemplatesProps) {
  // The list is loaded again while the dialog is open, and may then have the changes of another device.
  const [base] = useState(() => [...templates]);
  const [typed, setTyped] = useState<readonly Template[]>(
    templates.length > 0 ? templates : [FIRST_TEMPLATE],
  );
  const { mutate, isPending, error } = useMutation({
    mutationFn: (saved: Template[]) => send(saveTemplates, { body: { templates: saved, base } }),
    onSuccess: () => {
      reloadLists();
      onClose();
    },
  });
  const save = () => {
    const cleaned = typed.map(({ name, text }) => ({
      name: trimText(cleanLineInput(name)) || FIRST_TEMPLATE.name,
      text: trimText(cleanInput(text)),
    }));
    if (!isPending) mutate(cleaned.filter(({ text }) => text !== ''));
  };
  const change = (index: number, patch: Partial<Template>) =>
    setTyped(typed.map((one, position) => (position === index ? { ...one, ...patch } : one)));
  return (
    <Dialog title="Templates" className="dialog panel dialog-wide" onClose={onClose}>
      <form onSubmit={onSubmit(save)}>
        <p className="muted">
          {`Filled in for each contact: ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}.`}
        </p>
        {typed.map(({ name, text }, index) => (
          // eslint-disable-next-line react/no-array-index-key -- a template has no id
          <fieldset key={index} className="templates-one">
            <Field
              label="Template name"
              value={name}
              lengthMax={TEMPLATE_LENGTHS_MAX.name}
              onChange={(value) => change(index, { name: value })}
              autoComplete="off"
            />
            <Field
              label="Template text"
              value={text}
              lengthMax={TEMPLATE_LENGTHS_MAX.text}
              rows={ROWS}
              onChange={(value) => change(index, { text: value })}
            />
          </fieldset>
        ))}
        {typed.length < TEMPLATES_MAX && (
          <Button onClick={() => setTyped([...typed, EMPTY_TEMPLATE])}>Add a template</Button>
        )}
        <output className="error">{error?.message}</output>
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="main" isBusy={isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
