import { CATALOGUES } from '#domain/language/catalogues.ts';
import {
  EVERYBODY,
  EVERYONE_AT_TABLE,
  TABLE_PEOPLE_MAX,
  tableFilePath,
  tablePath,
} from '#domain/table.ts';

import { Fields } from './connect.tsx';
import type { FieldValues } from './connect.tsx';
import { NoticeText } from './connect-notice.tsx';
import type { ConnectNotice } from './connect-notice.tsx';
import { NoticePage } from './notice-page.tsx';
import type { NoticeFrame } from './notice-page.tsx';
import { TablePeople } from './table-people.tsx';
import type { ShownPerson } from './table-people.tsx';

interface TablePageProps extends NoticeFrame {
  readonly id: string;
  readonly name: string;
  readonly endsAt: string;
  /** The time of `endsAt` in the service's zone. */
  readonly endTime: string;
  readonly isOpen: boolean;
  readonly isRemoved: boolean;
  readonly isStarter: boolean;
  readonly firstNames: readonly string[];
  /** The others, or null for somebody who has not joined. */
  readonly people: readonly ShownPerson[] | null;
  readonly receipt: string | undefined;
  readonly notice: ConnectNotice | null;
  readonly script: string;
  readonly error?: string;
  readonly typed?: FieldValues;
}

/** The page of a table (docs/develop/product.md#table). Everything on it works without script. */
export function TablePage(props: TablePageProps) {
  const { id, name, people, firstNames, isOpen, isRemoved, error, script } = props;
  const { language, productName, style } = props;
  return (
    <NoticePage
      {...{ language, productName, style }}
      heading={name}
      sentence={<bdi id="here">{firstNames.join(', ')}</bdi>}
    >
      <div id="table" data-table={id} data-joined={people ? '' : undefined}>
        {error !== undefined && <p role="alert">{error}</p>}
        <TableContent {...props} />
      </div>
      {(people ?? (isOpen && !isRemoved)) && <script src={script} type="module" />}
    </NoticePage>
  );
}

function TableContent(props: TablePageProps) {
  const { isOpen, isRemoved, people, firstNames } = props;
  if (people !== null) return <People {...props} people={people} />;
  if (isRemoved) return <p>You were removed from this table.</p>;
  if (!isOpen) return <p>This table doesn't let new people join.</p>;
  if (firstNames.length >= TABLE_PEOPLE_MAX) return <p>This table is full.</p>;
  return <JoinForm {...props} />;
}

interface EndTimeProps extends Pick<TablePageProps, 'endsAt' | 'endTime'> {
  readonly children: string;
}

/** The script replaces the time by that of the browser's zone (web/feature/table/main.ts). */
const EndTime = ({ endsAt, endTime, children }: EndTimeProps) => (
  <p data-ends={endsAt} data-time={endTime}>
    {children} {endTime}.
  </p>
);

const NOTHING_TYPED: FieldValues = {};

function JoinForm(props: TablePageProps) {
  const { id, notice, language, typed = NOTHING_TYPED } = props;
  return (
    <form method="post" action={tablePath(id)} noValidate>
      <Fields texts={CATALOGUES[language.language].page} values={typed} />
      <EndTime {...props}>Everyone at this table sees what you enter. The table ends at</EndTime>
      <button className="button button-filled">Join</button>
      <button type="button" className="button button-filled" id="own" hidden>
        Join with my card
      </button>
      {notice && <NoticeText name={EVERYONE_AT_TABLE} {...notice} />}
    </form>
  );
}

type PeopleProps = TablePageProps & { readonly people: readonly ShownPerson[] };

function People(props: PeopleProps) {
  const { id, people, receipt, language, isStarter } = props;
  const { see } = CATALOGUES[language.language].receipt;
  return (
    <>
      <EndTime {...props}>You're at the table. It ends at</EndTime>
      <TablePeople table={id} people={people} />
      {people.length > 0 && (
        <a className="button button-filled" href={tableFilePath(id, EVERYBODY)}>
          Save all
        </a>
      )}
      {!isStarter && (
        <form method="post" action={tablePath(id)}>
          <p>If you leave, the others may have saved your details already.</p>
          <button className="button button-outlined" name="leave" value="1">
            Leave
          </button>
        </form>
      )}
      {receipt !== undefined && <a href={receipt}>{see}</a>}
    </>
  );
}
