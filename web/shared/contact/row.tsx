import type { ReactNode } from 'react';

import type { Contact } from '#contract/contact.ts';
import { fullText } from '#web/shared/ui/date-text.ts';
import { usePhoneFormat } from '#web/shared/ui/phone-text.ts';

import { HeldReason, Tile } from './sheet.tsx';

export interface ContactColumns<C extends Contact> {
  /** Whether the columns show their titles if the window is wide enough. */
  readonly isTable?: boolean;
  /** Returns the time of arrival, or null if it is not known. */
  readonly timeMs: (contact: C) => number | null;
  readonly timeText: (date: Date) => string;
  readonly checkbox?: ((contact: C) => ReactNode) | undefined;
  readonly details?: (contact: C) => ReactNode;
  readonly otherColumns: readonly {
    readonly title: string;
    readonly cell: (contact: C) => ReactNode;
  }[];
}

interface RowProps<C extends Contact> {
  readonly columns: ContactColumns<C>;
  readonly contact: C;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

export function Row<C extends Contact>({ columns, contact, isOpen, onOpen }: RowProps<C>) {
  const { isTable, checkbox, details, otherColumns } = columns;
  return (
    <tr className={isOpen ? 'contact-list-open' : undefined}>
      <td>
        {/* Screen readers read this title if the row is a block. A visible name needs no title. */}
        {isTable && <span className="contact-list-title" data-title="Name" />}
        {checkbox ? checkbox(contact) : <Tile contact={contact} />}
        <div className="contact-list-person">
          <button
            type="button"
            className="contact-list-name covers"
            data-contact={contact._id}
            aria-current={isOpen || undefined}
            onClick={onOpen}
          >
            <bdi className="clamp">{contact.name}</bdi>
          </button>
          <HeldReason contact={contact} />
          <Arrival columns={columns} contact={contact} />
          {details?.(contact)}
        </div>
      </td>
      {otherColumns.map(({ title, cell }) => (
        <td key={title} data-title={title}>
          {cell(contact)}
        </td>
      ))}
    </tr>
  );
}

type ArrivalProps<C extends Contact> = Pick<RowProps<C>, 'columns' | 'contact'>;

function Arrival<C extends Contact>({ columns, contact }: ArrivalProps<C>) {
  const { formatPhone } = usePhoneFormat();
  const { companyName, email, mobile } = contact;
  const timeMs = columns.timeMs(contact);
  const date = new Date(timeMs ?? 0);
  return (
    <p className="muted">
      {timeMs !== null && (
        <time dateTime={date.toISOString()} title={fullText(date)}>
          {columns.timeText(date)}
        </time>
      )}
      {/* A table repeats this detail in a column of its own, and screen readers read it there. */}
      <span className="contact-list-detail" aria-hidden={columns.isTable}>
        {timeMs !== null && ' · '}
        <bdi>{companyName || email || formatPhone(mobile)}</bdi>
      </span>
    </p>
  );
}
