import './list.css';

import type { ReactNode } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { UseMutationResult } from '@tanstack/react-query';

import { deleteHeldContacts } from '#contract/contact.ts';
import type { Contact } from '#contract/contact.ts';
import { heldContactsNote } from '#domain/lead.ts';
import { send } from '#web/shared/http/call.ts';
import { confirm } from '#web/shared/http/report.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { fullDayText } from '#web/shared/ui/date-text.ts';
import { NoteBox } from '#web/shared/ui/note-box.tsx';

export interface ContactColumns<C extends Contact> {
  readonly className: string;
  /** `name` is the button that opens the contact. */
  readonly person: (contact: C, name: ReactNode) => ReactNode;
  readonly others: readonly {
    readonly title: string;
    readonly cell: (contact: C) => ReactNode;
  }[];
}

interface ContactListProps<C extends Contact> {
  readonly columns: ContactColumns<C>;
  readonly contacts: readonly C[];
  readonly onOpen: (contact: C) => void;
  readonly openId?: string | undefined;
  /** Contacts with the same heading are a group. */
  readonly headingOf?: ((contact: C) => string) | undefined;
  /** In a row of the whole width, below the header. */
  readonly none?: ReactNode;
}

/** A table; where the columns do not fit, each row is a block. */
export function ContactList<C extends Contact>(props: ContactListProps<C>) {
  const { columns, contacts, onOpen, openId, headingOf, none } = props;
  const { className, others } = columns;
  const isEmpty = contacts.length === 0;
  if (isEmpty && none === undefined) return null;
  return (
    <table className={`contact-list ${className} ${isEmpty ? 'contact-list-empty' : ''}`}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          {others.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      {isEmpty && (
        <tbody>
          <tr>
            <td colSpan={others.length + 1}>{none}</td>
          </tr>
        </tbody>
      )}
      {Array.from(groups(contacts, headingOf), ([heading, group]) => (
        <tbody key={heading}>
          {heading !== '' && (
            <tr className="contact-list-heading">
              <th className="note" scope="rowgroup" colSpan={others.length + 1}>
                {heading}
              </th>
            </tr>
          )}
          {group.map((contact) => (
            <Row
              key={contact._id}
              columns={columns}
              contact={contact}
              isOpen={contact._id === openId}
              onOpen={() => onOpen(contact)}
            />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function groups<C>(contacts: readonly C[], headingOf: (contact: C) => string = () => '') {
  const found = new Map<string, C[]>();
  for (const contact of contacts) {
    const heading = headingOf(contact);
    const group = found.get(heading) ?? [];
    group.push(contact);
    found.set(heading, group);
  }
  return found;
}

interface RowProps<C extends Contact> {
  readonly columns: ContactColumns<C>;
  readonly contact: C;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function Row<C extends Contact>({ columns, contact, isOpen, onOpen }: RowProps<C>) {
  const name = (
    <button
      type="button"
      className="contact-list-name covers"
      data-contact={contact._id}
      aria-current={isOpen || undefined}
      onClick={onOpen}
    >
      <bdi className="clamp">{contact.name}</bdi>
    </button>
  );
  return (
    <tr className={isOpen ? 'contact-list-open' : undefined}>
      <td>{columns.person(contact, name)}</td>
      {columns.others.map(({ title, cell }) => (
        <td key={title} data-title={title}>
          {cell(contact)}
        </td>
      ))}
    </tr>
  );
}

export function NoContacts({ children }: { readonly children?: ReactNode }) {
  return (
    <NoteBox icon="contacts" title="Nobody has left their details yet.">
      <p>Share your card: whoever presses Connect on it appears here.</p>
      {children}
    </NoteBox>
  );
}

/** The owner reads nothing else about who has withdrawn their details. */
export function Withdrawn({ times }: { readonly times: readonly string[] }) {
  return times.map((time, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- two can have the same time
    <p key={index} className="withdrawn note">
      {`One contact was withdrawn on ${fullDayText(new Date(time))}.`}
    </p>
  ));
}

interface HeldContactsProps {
  readonly count: number;
  readonly onDeleted: () => void;
  readonly children: ReactNode;
}

export function HeldContacts({ count, onDeleted, children }: HeldContactsProps) {
  const deletion = useMutation({
    mutationFn: () => send(deleteHeldContacts),
    onSuccess: onDeleted,
  });
  const remove = () => {
    if (confirm('Delete all held contacts? They cannot be restored.')) deletion.mutate();
  };
  return (
    <section aria-label="Held contacts">
      <p className="held-contacts-note muted">{heldContactsNote(count)}</p>
      {children}
      <DeleteButton label="Delete all held" deletion={deletion} onClick={remove} />
    </section>
  );
}

interface DeleteButtonProps {
  readonly label: string;
  readonly deletion: Pick<UseMutationResult, 'isPending' | 'error'>;
  readonly onClick: () => void;
}

export function DeleteButton({ label, deletion, onClick }: DeleteButtonProps) {
  return (
    <div>
      <Button
        variant="plain"
        className="delete-button"
        isBusy={deletion.isPending}
        onClick={onClick}
      >
        {label}
      </Button>
      <output className="delete-failure error">{deletion.error?.message}</output>
    </div>
  );
}
