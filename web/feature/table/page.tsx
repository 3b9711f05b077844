import './table.css';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { createTable } from '#contract/table.ts';
import { TAG_LENGTH_MAX } from '#domain/contact.ts';
import { PATHS } from '#domain/path.ts';
import { EVERYONE_AT_TABLE } from '#domain/table.ts';
import { NoticeLines } from '#view/connect-notice.tsx';
import { send } from '#web/shared/http/call.ts';
import { sendsCookies } from '#web/shared/http/settings.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Field } from '#web/shared/ui/field.tsx';
import { LoadState } from '#web/shared/ui/note-box.tsx';
import { dayText } from '#web/shared/ui/date-text.ts';
import { PageFrame } from '#web/shared/ui/page-frame.tsx';

import { RunningTable } from './running-table.tsx';
import { ownTableQuery, reloadOwnTable } from './use-table.ts';

/** The page on which an owner starts a table and sees who joins (docs/develop/product.md#table). */
export function Page() {
  const isOffered = sendsCookies();
  const query = useQuery({ ...ownTableQuery(), enabled: isOffered });
  const [started, setStarted] = useState('');
  const { table, notice, receipt } = query.data?.body ?? {};
  return (
    <PageFrame title="Table" backPath={PATHS.dashboard}>
      <div className="table-page stack">
        {isOffered ? (
          <LoadState
            query={query}
            loading="Your table is loading"
            sentence="We couldn't load your table."
          />
        ) : (
          <p>Tables aren't available on this service.</p>
        )}
        {table === null && <StartForm notice={notice} onStart={setStarted} />}
        {table && (
          <RunningTable key={table} id={table} receipt={receipt} isNew={table === started} />
        )}
      </div>
    </PageFrame>
  );
}

interface StartFormProps {
  /** What an owner must know before the details are shared, or '' (docs/operate/dpdp.md). */
  readonly notice: string | undefined;
  readonly onStart: (table: string) => void;
}

function StartForm({ notice, onStart }: StartFormProps) {
  const [name, setName] = useState(() => `Table, ${dayText(new Date())}`);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => send(createTable, { body: { name } }),
    onSuccess: ({ body }) => {
      onStart(body.table);
      return reloadOwnTable();
    },
  });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) mutate();
      }}
    >
      <p>Everybody in the room scans one code, and leaves with everybody's card.</p>
      <Field
        label="Table name"
        value={name}
        lengthMax={TAG_LENGTH_MAX}
        error={error?.message ?? ''}
        onChange={setName}
      />
      <Button type="submit" variant="main" isBusy={isPending}>
        Start a table
      </Button>
      {notice && (
        <div className="note">
          <NoticeLines text={notice} name={EVERYONE_AT_TABLE} />
        </div>
      )}
    </form>
  );
}
