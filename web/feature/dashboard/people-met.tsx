import { Tile } from '#web/shared/contact/sheet.tsx';

import { NEWEST_COUNT, useCachedNewest } from './new-contacts.tsx';

/** Shows the tiles of the newest contacts, as many as fit in one row (docs/develop/design.md#shared-tile). */
export function PeopleMet() {
  const contacts = useCachedNewest();
  if (contacts.length === 0) return null;
  return (
    <section className="people-met" aria-labelledby="people-met-title">
      <h2 id="people-met-title">People you've met</h2>
      <p className="muted">
        {contacts.length < NEWEST_COUNT ? contacts.length : `${contacts.length}+`}
      </p>
      <div className="people-met-band">
        {contacts.map((contact) => (
          <Tile key={contact._id} contact={contact} />
        ))}
      </div>
    </section>
  );
}
