import './list.css';
import './table.css';

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

import { Row } from './row.tsx';
import type { ContactColumns } from './row.tsx';

interface ContactListProps<C extends Contact> {
  readonly columns: ContactColumns<C>;
  readonly contacts: readonly C[];
  readonly onOpen: (contact: C) => void;
  readonly openId?: string | undefined;
  /** Returns the heading of a contact. Contacts with the same heading form a group. */
  readonly headingOf?: ((contact: C) => string) | undefined;
  /** An empty list shows this in a row below the header. Without it, an empty list renders nothing. */
  readonly emptyContent?: ReactNode;
}

/** Renders a row for each person, with links to call or write. Every list of people uses it. */
export function ContactList<C extends Contact>(props: ContactListProps<C>) {
  const { columns, contacts, onOpen, openId, headingOf, emptyContent } = props;
  const { isTable = false, otherColumns } = columns;
  const isEmpty = contacts.length === 0;
  if (isEmpty && emptyContent === undefined) return null;
  return (
    <table
      className={`contact-list ${isTable ? 'contact-table' : ''} ${isEmpty ? 'contact-list-empty' : ''}`}
    >
      <thead>
        <tr>
          <th scope="col">Name</th>
          {otherColumns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      {isEmpty && (
        <tbody>
          <tr>
            <td colSpan={otherColumns.length + 1}>{emptyContent}</td>
          </tr>
        </tbody>
      )}
      {Array.from(groupByHeading(contacts, headingOf), ([heading, group]) => (
        <tbody key={heading}>
          {heading !== '' && (
            <tr className="contact-list-heading">
              <th className="note" scope="rowgroup" colSpan={otherColumns.length + 1}>
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

function groupByHeading<C>(contacts: readonly C[], headingOf: (contact: C) => string = () => '') {
  const groups = new Map<string, C[]>();
  for (const contact of contacts) {
    const heading = headingOf(contact);
    const group = groups.get(heading) ?? [];
    group.push(contact);
    groups.set(heading, group);
  }
  return groups;
}

export function NoContacts({ children }: { readonly children?: ReactNode }) {
  return (
    <NoteBox icon="contacts" title="Nobody has left their details yet.">
      <p>When someone taps Connect on your card, they appear here.</p>
      {children}
    </NoteBox>
  );
}

/** Shows when contacts were withdrawn. The owner learns nothing else about the people who withdrew. */
export function Withdrawn({ times }: { readonly times: readonly string[] }) {
  return times.map((time, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- two contacts can have the same time
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
  const confirmDeletion = () => {
    if (confirm("Delete all held contacts? You can't get them back.")) deletion.mutate();
  };
  return (
    <section aria-label="Held contacts">
      <p className="held-contacts-note muted">{heldContactsNote(count)}</p>
      {children}
      <DeleteButton label="Delete all held" deletion={deletion} onClick={confirmDeletion} />
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
