import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';

import { changeContacts, exportCsv } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { TAGS_MAX, TAG_LENGTH_MAX } from '#domain/contact.ts';
import { whatsappHref } from '#domain/href.ts';
import { cleanInput } from '#domain/text.ts';
import { Icon, NetworkIcon } from '#view/icon.tsx';
import type { ContactColumns } from '#web/shared/contact/list.tsx';
import { Tile } from '#web/shared/contact/sheet.tsx';
import { send } from '#web/shared/http/call.ts';
import { useDownload } from '#web/shared/http/save-file.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { arrivalText, fullText, timeText } from '#web/shared/ui/date-text.ts';
import { onSubmit } from '#web/shared/ui/field.tsx';
import { usePhones } from '#web/shared/ui/phone-text.ts';

import type { Selection } from './selection.tsx';
import { reloadLists } from './use-contacts.ts';

interface Columns {
  readonly now: Date;
  /** A heading above the rows has the day. */
  readonly isByDay: boolean;
  readonly selection: Selection;
}

export const columnsAt = ({
  now,
  isByDay,
  selection: { chosen, toggle },
}: Columns): ContactColumns<OwnContact> => ({
  className: 'contact-rows',
  person: (contact, name) => (
    <>
      {chosen ? (
        <input
          type="checkbox"
          aria-label={`Choose ${contact.name}`}
          checked={chosen.has(contact._id)}
          onChange={() => toggle(contact)}
        />
      ) : (
        <Tile contact={contact} />
      )}
      <div className="contacts-person">
        {name}
        <Arrival contact={contact} toText={isByDay ? timeText : (date) => arrivalText(date, now)} />
        <TagList tags={contact.tags} />
      </div>
    </>
  ),
  others: [{ title: 'Call or write', cell: (contact) => <QuickLinks contact={contact} /> }],
});

interface ArrivalProps {
  readonly contact: OwnContact;
  readonly toText: (date: Date) => string;
}

function Arrival({ contact, toText }: ArrivalProps) {
  const { formatPhone } = usePhones();
  const { companyName, email, mobile, receivedAt } = contact;
  const received = new Date(receivedAt);
  return (
    <p className="muted">
      <time dateTime={receivedAt} title={fullText(received)}>
        {toText(received)}
      </time>
      {' · '}
      <bdi>{companyName || email || formatPhone(mobile)}</bdi>
    </p>
  );
}

function TagList({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul className="contacts-tags row" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className="contacts-tag tag" dir="auto">
          {tag}
        </li>
      ))}
    </ul>
  );
}

function QuickLinks({ contact: { name, mobile } }: { readonly contact: OwnContact }) {
  const { phoneHref } = usePhones();
  const call = phoneHref(mobile);
  const whatsapp = whatsappHref(mobile);
  return (
    <>
      {call !== null && (
        <a className="icon-button" href={call} aria-label={`Call ${name}`}>
          <Icon name="call" />
        </a>
      )}
      {whatsapp !== null && (
        <a
          className="icon-button"
          href={whatsapp}
          aria-label={`Whatsapp ${name}`}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
        >
          <NetworkIcon network="Whatsapp" iconBaseUrl="" />
        </a>
      )}
    </>
  );
}

/** Returns what to say. Rejects with a CallError. */
async function change(contacts: string[], what: { tag: string } | { delete: boolean }) {
  const input = { body: { contacts, ...what } };
  const { body } = await send(changeContacts, input);
  reloadLists();
  const full = contacts.length - body.contacts.length;
  return full === 0 ? 'Done.' : `${full} have ${TAGS_MAX} tags already.`;
}

interface ChosenProps {
  readonly chosen: ReadonlySet<string>;
  readonly selection: Selection;
}

export function Chosen({ chosen, selection: { choose, addUndo } }: ChosenProps) {
  const [tag, setTag] = useState('');
  const { isBusy, message, download } = useDownload();
  const contacts = [...chosen];
  const offerUndo = () => {
    const [name, text] =
      chosen.size === 1
        ? ['1 contact', 'is deleted.']
        : [`${chosen.size} contacts`, 'are deleted.'];
    const undo = () => change(contacts, { delete: false });
    addUndo({ id: contacts.join(' '), name, text, undo, takesFocus: true });
  };
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async (what: { tag: string } | { delete: true }) => {
      const said = await change(contacts, what);
      // The form may have been closed meanwhile.
      if ('delete' in what) offerUndo();
      return said;
    },
  });
  const shared = { isBusy: isPending || isBusy || chosen.size === 0 };
  return (
    <form
      className="contacts-chosen panel row"
      aria-label="Chosen contacts"
      onSubmit={onSubmit(() => {
        const text = cleanInput(tag).trim();
        if (!shared.isBusy && text !== '') mutate({ tag: text });
      })}
    >
      <output>{`${chosen.size} chosen`}</output>
      <input
        className="field-input"
        aria-label="Tag for the chosen"
        placeholder="Tag"
        value={tag}
        maxLength={TAG_LENGTH_MAX}
        dir="auto"
        autoComplete="off"
        onChange={({ target }) => setTag(target.value)}
      />
      <Button type="submit" {...shared}>
        Tag
      </Button>
      <Button
        {...shared}
        onClick={() => download(exportCsv, { body: { contacts } }, 'contacts.csv')}
      >
        Export
      </Button>
      <Button
        {...shared}
        onClick={() => mutate({ delete: true }, { onSuccess: () => choose(null) })}
      >
        Delete
      </Button>
      <output className={error ? 'error' : 'muted'}>{error?.message ?? data ?? message}</output>
    </form>
  );
}
