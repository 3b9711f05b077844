import '#view/table-people.css';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { closeTable, endTable, removePerson } from '#contract/table.ts';
import type { TablePerson } from '#contract/table.ts';
import { EVERYBODY, tableFilePath, tablePath } from '#domain/table.ts';
import { TablePeople } from '#view/table-people.tsx';
import { send } from '#web/shared/http/call.ts';
import { cardOrigin } from '#web/shared/profile/card.ts';
import { Button, IconButton } from '#web/shared/ui/button.tsx';
import { copyText } from '#web/shared/ui/copy-text.ts';
import { timeText } from '#web/shared/ui/date-text.ts';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { LoadState } from '#web/shared/ui/note-box.tsx';
import { QrImage } from '#web/shared/ui/qr-image.tsx';
import { Switch } from '#web/shared/ui/switch.tsx';

import { reloadOwnTable, useTable } from './use-table.ts';

interface RunningTableProps {
  readonly id: string;
  /** The path of the receipt for the owner's own details, if receipts exist. */
  readonly receipt: string | undefined;
  readonly isNew: boolean;
}

export function RunningTable({ id, receipt, isNew }: RunningTableProps) {
  const query = useTable(id);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (change: () => Promise<unknown>) => change(),
    onSettled: () => query.refetch(),
  });
  const table = query.data?.body;
  if (!table) return <LoadState query={query} sentence="We couldn't load your table." />;
  const people = table.people ?? [];
  return (
    <>
      <h2 dir="auto">{table.name}</h2>
      <TableCode id={id} name={table.name} isNew={isNew} people={people} />
      <p className="muted">
        The table ends at {timeText(new Date(table.endsAt))}. Everybody who joins becomes one of
        your contacts.
      </p>
      <Switch
        isOn={table.isOpen}
        isBusy={isPending}
        onClick={() => mutate(() => send(closeTable, { body: { open: !table.isOpen } }))}
      >
        New people can join
      </Switch>
      <TablePeople
        table={id}
        people={people}
        renderMore={({ _id, name }) => (
          <IconButton
            name={`Remove ${name}`}
            icon="close"
            onClick={() => mutate(() => send(removePerson, { body: { person: _id } }))}
          />
        )}
      />
      {table.people === null && <p>You've withdrawn your details from this table.</p>}
      {table.people?.length === 0 && <p>Nobody has joined yet. Hold up the code.</p>}
      <div className="row table-end">
        {people.length > 0 && (
          <a className="ui-button ui-button-main" href={tableFilePath(id, EVERYBODY)}>
            Save all
          </a>
        )}
        <Button
          isBusy={isPending}
          onClick={() => mutate(() => send(endTable).then(reloadOwnTable))}
        >
          End table
        </Button>
      </div>
      {receipt !== undefined && (
        <a className="link" href={receipt}>
          See or withdraw what you left
        </a>
      )}
      <output className="error">{error?.message}</output>
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

interface TableCodeProps extends Pick<RunningTableProps, 'id' | 'isNew'> {
  readonly name: string;
  readonly people: readonly TablePerson[];
}

/** Shows the QR code, which fills the screen for a new table and whenever it is pressed. */
function TableCode({ id, name, isNew, people }: TableCodeProps) {
  const [isOpen, setOpen] = useState(isNew);
  const link = cardOrigin() + tablePath(id);
  const image = <QrImage text={link} label="QR code of your table" />;
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        className="qr-plate"
        aria-label="Show QR code full screen"
        onClick={() => setOpen(true)}
      >
        {image}
      </button>
      {!isOpen && <CopyLink link={link} />}
      {isOpen && (
        <Dialog
          className="qr-screen whole-screen table-qr"
          aria-label="QR code"
          initialFocus="dialog"
          tabIndex={-1}
          onClose={close}
        >
          <IconButton name="Close" icon="close" className="qr-screen-close" onClick={close} />
          {image}
          <div className="table-caption">
            <h2 dir="auto">{name}</h2>
            <output className="table-joined" dir="auto">
              {people.length > 0 &&
                `${people.length} joined: ${people
                  .map((one) => one.name)
                  .toReversed()
                  .join(', ')}`}
            </output>
            <CopyLink link={link} />
          </div>
        </Dialog>
      )}
    </>
  );
}
