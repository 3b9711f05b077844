import type { OwnContact } from '#contract/contacts-view.ts';
import { whatsappHref } from '#domain/href.ts';
import { Icon, NetworkIcon } from '#view/icon.tsx';
import { arrivalText, fullText, timeText } from '#web/shared/ui/date-text.ts';
import { usePhones } from '#web/shared/ui/phone-text.ts';

import { Tile } from './tile.tsx';

interface ContactRowProps {
  readonly contact: OwnContact;
  readonly isSelected: boolean;
  /** A heading above the row has the day. */
  readonly isOfDay: boolean;
  readonly now: Date;
  readonly onSelect: () => void;
}

export function ContactRow({ contact, isSelected, isOfDay, now, onSelect }: ContactRowProps) {
  const { formatPhone } = usePhones();
  const { _id, name, companyName, email, mobile, receivedAt, tags } = contact;
  const received = new Date(receivedAt);
  return (
    <li className={isSelected ? 'contacts-selected' : undefined}>
      <Tile contact={contact} />
      <div className="contacts-person">
        <button
          type="button"
          data-contact={_id}
          aria-current={isSelected || undefined}
          onClick={onSelect}
        >
          <bdi>{name}</bdi>
        </button>
        <p>
          <time dateTime={receivedAt} title={fullText(received)}>
            {isOfDay ? timeText(received) : arrivalText(received, now)}
          </time>
          {' · '}
          <bdi>{companyName || email || formatPhone(mobile)}</bdi>
        </p>
        <TagList tags={tags} />
      </div>
      <QuickLinks contact={contact} />
    </li>
  );
}

function TagList({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul className="contacts-tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className="contacts-tag" dir="auto">
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
    <div className="contacts-links">
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
    </div>
  );
}
