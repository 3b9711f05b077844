import type { TablePerson } from '#contract/table.ts';
import { firstNameWithoutTitle } from '#domain/display.ts';

import { tableContactId } from './delivery.ts';
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

/**
 * An owner sees the tile of their own contact. A visitor sees the tile of the owner's contact. For two visitors, the
 * tile is made from the ids of both.
 */
function othersOf(people: readonly Person[], viewer: Person): TablePerson[] {
  return people
    .filter((person) => person.id !== viewer.id)
    .map((person) => {
      const [owner, other] = viewer.userId === null ? [person, viewer] : [viewer, person];
      const { id, name, designation, companyName, mobile, email } = person;
      const tile = { owner: owner.userId ?? owner.id, contact: tableContactId(owner, other) };
      return { _id: id, name, designation, companyName, mobile, email, tile };
    });
}
