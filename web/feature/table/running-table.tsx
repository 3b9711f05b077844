import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { closeTable, endTable, removePerson } from '#contract/table.ts';
import type { TablePerson } from '#contract/table.ts';
import { EVERYBODY, tableFilePath, tablePath } from '#domain/table.ts';
import { SharedTile } from '#view/shared-tile.tsx';
import { send } from '#web/shared/http/call.ts';
import { cardOrigin } from '#web/shared/profile/card.ts';
import { Button, IconButton } from '#web/shared/ui/button.tsx';
import { copyText } from '#web/shared/ui/copy-text.ts';
import { timeText } from '#web/shared/ui/date-text.ts';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { LoadState } from '#web/shared/ui/note-box.tsx';
import { QrImage } from '#web/shared/ui/qr-image.tsx';

import { reloadOwnTable, useTable } from './use-table.ts';

const NOBODY: readonly TablePerson[] = [];

export function RunningTable({ id, isNew }: { readonly id: string; readonly isNew: boolean }) {
  const query = useTable(id);
  const [isQrOpen, setQrOpen] = useState(isNew);
  const change = useMutation({
    mutationFn: async (run: () => Promise<unknown>) => run(),
    onSettled: () => query.refetch(),
  });
  const table = query.data?.body;
  if (!table) return <LoadState query={query} sentence="We couldn't load your table." />;
  const link = cardOrigin() + tablePath(id);
  return (
    <>
      <h2 dir="auto">{table.name}</h2>
      <button
        type="button"
        className="qr-plate"
        aria-label="Show QR code full screen"
        onClick={() => setQrOpen(true)}
      >
        <QrImage text={link} label="QR code of your table" />
      </button>
      {isQrOpen && <TableQr name={table.name} link={link} onClose={() => setQrOpen(false)} />}
      {!isQrOpen && <CopyLink link={link} />}
      <p className="muted">
        The table ends at {timeText(new Date(table.endsAt))}. Everybody who joins becomes one of
        your contacts.
      </p>
      <label className="row">
        <input
          type="checkbox"
          role="switch"
          checked={table.isOpen}
          aria-checked={table.isOpen}
          onChange={() => change.mutate(() => send(closeTable, { body: { open: !table.isOpen } }))}
        />
        New people can join
      </label>
      <People table={id} people={table.people ?? NOBODY} change={change} />
      <Button
        isBusy={change.isPending}
        onClick={() => change.mutate(() => send(endTable).then(reloadOwnTable))}
      >
        End table
      </Button>
      <output className="error">{change.error?.message}</output>
    </>
  );
}

function CopyLink({ link }: { readonly link: string }) {
  const { mutate, isSuccess, isError } = useMutation({
    meta: { isSave: false },
    mutationFn: () => copyText(link),
  });
  return (
    <span className="row">
      <Button onClick={() => mutate()}>Copy table link</Button>
      <output className="note">
        {isSuccess && 'Copied'}
        {isError && `We couldn't copy it: ${link}`}
      </output>
    </span>
  );
}

interface PersonRowProps {
  readonly table: string;
  readonly person: TablePerson;
  readonly onRemove: () => void;
}

function PersonRow({ table, person, onRemove }: PersonRowProps) {
  const { _id, name, designation, companyName, tile } = person;
  return (
    <li className="row">
      <SharedTile ownerId={tile.owner} contactId={tile.contact} />
      <span>
        <b dir="auto">{name}</b>
        {[designation, companyName].filter(Boolean).map((text) => (
          <bdi key={text} className="muted">
            {text}
          </bdi>
        ))}
      </span>
      <a className="link" href={tableFilePath(table, _id)} aria-label={`Save ${name}`}>
        Save
      </a>
      <Button variant="plain" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

interface TableQrProps {
  readonly name: string;
  readonly link: string;
  readonly onClose: () => void;
}

function TableQr({ name, link, onClose }: TableQrProps) {
  return (
    <Dialog
      className="qr-screen whole-screen"
      aria-label="QR code"
      initialFocus="dialog"
      tabIndex={-1}
      onClose={onClose}
    >
      <IconButton name="Close" icon="close" className="qr-screen-close" onClick={onClose} />
      <QrImage text={link} label="QR code of your table" />
      <h2 dir="auto">{name}</h2>
      <CopyLink link={link} />
    </Dialog>
  );
}

interface PeopleProps {
  readonly table: string;
  readonly people: readonly TablePerson[];
  readonly change: { readonly mutate: (run: () => Promise<unknown>) => void };
}

function People({ table, people, change }: PeopleProps) {
  return (
    <>
      <ul className="stack" aria-label="People at the table">
        {people.map((person) => (
          <PersonRow
            key={person._id}
            table={table}
            person={person}
            onRemove={() =>
              change.mutate(() => send(removePerson, { body: { person: person._id } }))
            }
          />
        ))}
      </ul>
      {people.length === 0 && <p>Nobody has joined yet. Hold up the code.</p>}
      {people.length > 0 && (
        <a className="ui-button ui-button-main" href={tableFilePath(table, EVERYBODY)}>
          Save all
        </a>
      )}
    </>
  );
}
