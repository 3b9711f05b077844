import type { OwnContact } from '#contract/contacts-view.ts';
import { whatsappHref } from '#domain/href.ts';
import { Icon, NetworkIcon } from '#view/icon.tsx';
import type { ContactColumns } from '#web/shared/contact/list.tsx';
import { Tile } from '#web/shared/contact/sheet.tsx';
import { arrivalText, fullText, timeText } from '#web/shared/ui/date-text.ts';
import { usePhones } from '#web/shared/ui/phone-text.ts';

import type { Selection } from './selection.tsx';

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
