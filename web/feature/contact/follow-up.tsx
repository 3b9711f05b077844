import './follow-up.css';

import { useRef, useState } from 'react';

import { useMutation, useQuery } from '@tanstack/react-query';

import { markContacted } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import {
  FIRST_TEMPLATE,
  fillTemplate,
  writeMailHref,
  writeWhatsappHref,
} from '#domain/follow-up.ts';
import type { Template } from '#domain/follow-up.ts';
import { send } from '#web/shared/http/call.ts';
import { storedId } from '#web/shared/http/storage.ts';
import { useCardLink } from '#web/shared/profile/card.ts';
import { profileQuery } from '#web/shared/profile/profile.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { dayHeading } from '#web/shared/ui/date-text.ts';
import { usePhones } from '#web/shared/ui/phone-text.ts';

import { dayAfter, remind, reminderText } from './reminder.ts';
import { useEvent } from './waiting.ts';

const CHOICES = [
  ['Tomorrow', 1],
  ['In three days', 3],
  ['Next week', 7],
] as const;

interface FollowUpProps {
  readonly contact: OwnContact;
  readonly templates: readonly Template[];
  readonly hasPush: boolean;
  readonly onChange: (patch: Partial<OwnContact>) => void;
}

/** What is written opens in WhatsApp or the mail program; nothing is sent from here. */
export function FollowUp({ contact, templates, hasPush, onChange }: FollowUpProps) {
  const { _id, email, contactedAt } = contact;
  const [chosen, setChosen] = useState(0);
  const [now] = useState(() => new Date());
  const all = templates.length > 0 ? templates : [FIRST_TEMPLATE];
  const text = useMessage(contact, all[chosen] ?? all[0] ?? FIRST_TEMPLATE);
  const whatsapp = writeWhatsappHref(usePhones().toE164(contact.mobile), text);
  const { mutate, isSuccess, reset } = useMutation({
    mutationFn: () => send(markContacted, { body: { contact: _id } }),
    onSuccess: ({ body }) => onChange(body),
  });
  const shared = { className: 'ui-button ui-button-outlined', onClick: () => mutate() };
  return (
    <section className="follow-up stack" aria-label="Follow up">
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
      <div className="row">
        {whatsapp !== null && (
          <a {...shared} href={whatsapp} target="_blank" rel="noopener noreferrer nofollow ugc">
            Write on WhatsApp
          </a>
        )}
        {email !== '' && (
          <a {...shared} href={writeMailHref(email, text)}>
            Write an email
          </a>
        )}
      </div>
      {contactedAt !== null && (
        <p className="muted">
          {`Last contact: ${dayHeading(new Date(contactedAt), now).replace(/^(?:Tod|Yes)/, (start) => start.toLowerCase())}`}
        </p>
      )}
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
  const [event] = useEvent();
  return fillTemplate(text, {
    name,
    company: companyName,
    // Another tag is the owner's own affair.
    event: tags.includes(event) ? event : '',
    'my name': profile?.name ?? '',
    'my card': card,
  });
}

interface ReminderProps extends Pick<FollowUpProps, 'contact' | 'hasPush' | 'onChange'> {
  /** After a message. */
  readonly asksDone: boolean;
}

function Reminder({ contact, hasPush, asksDone, onChange }: ReminderProps) {
  const { reminderDay } = contact;
  const [isOpen, setOpen] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (day: string | null) => remind(contact._id, day),
    // One after the other.
    scope: { id: 'reminder' },
    onSuccess: (_, day) => onChange({ reminderDay: day }),
  });
  /** The pressed button disappears. */
  const setAndClose = (day: string | null) =>
    mutate(day, {
      onSuccess: () => {
        setOpen(false);
        element.current?.querySelector('button')?.focus();
      },
    });
  return (
    <div className="stack">
      {reminderDay !== null && (
        <div className="row">
          <output>{asksDone ? 'Done?' : `Reminder: ${reminderText(reminderDay)}`}</output>
          <Button isBusy={isPending} onClick={() => setAndClose(null)}>
            Done
          </Button>
        </div>
      )}
      <div ref={element}>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Remind me
        </Button>
      </div>
      {isOpen && (
        <div className="row">
          {CHOICES.map(([name, days]) => (
            <Button key={name} onClick={() => setAndClose(dayAfter(days))}>
              {name}
            </Button>
          ))}
          <label className="row">
            Date
            <input
              type="date"
              className="field-input"
              min={dayAfter(0)}
              onChange={({ target: { value } }) => value >= dayAfter(0) && mutate(value)}
            />
          </label>
          {!hasPush && (
            <p className="note">
              Reminders are seen here only. For a notification at nine in the morning switch on
              Notify me on the dashboard.
            </p>
          )}
        </div>
      )}
      {error && <output className="error">{error.message}</output>}
    </div>
  );
}
