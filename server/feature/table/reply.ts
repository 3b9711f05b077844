import type { TablePerson } from '#contract/table.ts';
import { firstNameWithoutTitle } from '#domain/display.ts';

import { tableContactId } from './contacts.ts';
import { isHere } from './store.ts';
import type { Person, Table } from './store.ts';

export function toReply(table: Table, viewer: Person | null) {
  const people = table.people.filter(isHere);
  return {
    name: table.name,
    endsAt: new Date(table.endsAt).toISOString(),
    isOpen: table.isOpen,
    firstNames: viewer?.gone === 'removed' ? [] : people.map(firstNameWithoutTitle),
    people: viewer && isHere(viewer) ? othersOf(people, viewer) : null,
  };
}

/** Two people see the same tile. It is the tile of the owner's contact, and for two owners that of the first to join. */
function othersOf(people: readonly Person[], viewer: Person): TablePerson[] {
  return people
    .filter((person) => person.id !== viewer.id)
    .map((person) => {
      const pair =
        person.id < viewer.id ? ([person, viewer] as const) : ([viewer, person] as const);
      const [first, second] = pair;
      const [owner, other] = first.userId === null ? [second, first] : pair;
      const { id, name, designation, companyName, mobile, email } = person;
      const tile = { owner: owner.userId ?? owner.id, contact: tableContactId(owner, other) };
      return { _id: id, name, designation, companyName, mobile, email, tile };
    });
}
