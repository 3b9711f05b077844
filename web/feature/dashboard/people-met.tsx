import { CONTACT_COUNT_HEADER } from '#contract/contact.ts';
import { Tile } from '#web/shared/contact/sheet.tsx';
import { LOCALE } from '#web/shared/ui/date-text.ts';

import { NEWEST_COUNT, useCachedReply } from './new-contacts.tsx';

/** Shows the tiles of the newest contacts, as many as fit in one row (docs/develop/design.md#shared-tile). */
export function PeopleMet() {
  const { body = [], headers = {} } = useCachedReply() ?? {};
  if (body.length === 0) return null;
  const count = Number(headers[CONTACT_COUNT_HEADER] ?? body.length);
  return (
    <section className="people-met" aria-labelledby="people-met-title">
      <h2 id="people-met-title">People you've met</h2>
      <p className="muted">{count.toLocaleString(LOCALE)}</p>
      <div className="people-met-band">
        {body.slice(0, NEWEST_COUNT).map((contact) => (
          <Tile key={contact._id} contact={contact} />
        ))}
      </div>
    </section>
  );
}
