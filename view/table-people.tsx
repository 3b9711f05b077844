import type { ReactNode } from 'react';

import { tableFilePath } from '#domain/table.ts';

import { SharedTile } from './shared-tile.tsx';

export interface ShownPerson {
  readonly _id: string;
  readonly name: string;
  readonly designation: string;
  readonly companyName: string;
  readonly tile: { readonly owner: string; readonly contact: string };
}

interface TablePeopleProps<Person> {
  readonly table: string;
  readonly people: readonly Person[];
  /** Returns the content that follows the link 'Save' of a person. */
  readonly renderMore?: (person: Person) => ReactNode;
}

/** Lists the other people at a table, on the page that the server renders and on the page of the table's starter. */
export function TablePeople<Person extends ShownPerson>(props: TablePeopleProps<Person>) {
  const { table, people, renderMore } = props;
  return (
    <ul className="table-people" aria-label="People at the table" aria-live="polite">
      {people.map((person) => (
        <li key={person._id}>
          <SharedTile ownerId={person.tile.owner} contactId={person.tile.contact} />
          <span>
            <b dir="auto">{person.name}</b>
            {[person.designation, person.companyName].filter(Boolean).map((text) => (
              <bdi key={text}>{text}</bdi>
            ))}
          </span>
          <a href={tableFilePath(table, person._id)} aria-label={`Save ${person.name}`}>
            Save
          </a>
          {renderMore?.(person)}
        </li>
      ))}
    </ul>
  );
}
