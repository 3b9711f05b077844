import type { OwnContact } from '#contract/contacts-view.ts';
import { mailHref } from '#domain/href.ts';
import { Icon, NetworkIcon } from '#view/icon.tsx';
import type { ContactColumns } from '#web/shared/contact/row.tsx';
import { arrivalText, timeText } from '#web/shared/ui/date-text.ts';
import { contactPhone } from '#web/shared/ui/phone-text.ts';

import type { Selection } from './selection.tsx';

interface ColumnOptions {
  readonly now: Date;
  /** Whether the rows stand below headings with the day, so that a row shows only the time. */
  readonly isByDay: boolean;
  readonly selection: Selection;
}

export const createColumns = ({
  now,
  isByDay,
  selection: { chosen, toggle },
}: ColumnOptions): ContactColumns<OwnContact> => ({
  timeMs: ({ receivedAt }) => Date.parse(receivedAt),
  timeText: isByDay ? timeText : (date) => arrivalText(date, now),
  checkbox:
    chosen === null
      ? undefined
      : (contact) => (
          <input
            type="checkbox"
            aria-label={`Choose ${contact.name}`}
            checked={chosen.has(contact._id)}
            onChange={() => toggle(contact)}
          />
        ),
  details: ({ tags }) => <TagList tags={tags} />,
  otherColumns: [{ title: 'Call or write', cell: (contact) => <QuickLinks contact={contact} /> }],
});

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

function QuickLinks({ contact }: { readonly contact: OwnContact }) {
  const { name, email } = contact;
  const { call, whatsapp } = contactPhone(contact);
  return (
    <>
      {call === null && email !== '' && (
        <a className="icon-button" href={mailHref(email)} aria-label={`Email ${name}`}>
          <Icon name="email" />
        </a>
      )}
      {call !== null && (
        <a className="icon-button" href={call} aria-label={`Call ${name}`}>
          <Icon name="call" />
        </a>
      )}
      {whatsapp !== null && (
        <a
          className="icon-button"
          href={whatsapp}
          aria-label={`WhatsApp ${name}`}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
        >
          <NetworkIcon network="Whatsapp" iconBaseUrl="" />
        </a>
      )}
    </>
  );
}
