import { CONTACTS_PER_PAGE } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { canKeepContacts } from '#web/shared/profile/last-contacts.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { LOCALE, fullText } from '#web/shared/ui/date-text.ts';
import { HeldContacts } from '#web/shared/ui/held-contacts.tsx';

import { ContactList, Failure, More, NoContacts, NothingFound } from './list.tsx';
import { ListSkeleton } from './skeleton.tsx';
import { isAll } from './query.ts';
import type { ContactQuery } from './query.ts';
import type { Contacts } from './use-contacts.ts';
import type { Selection } from './use-selection.ts';

interface FoundProps {
  readonly pages: Contacts;
  readonly held: Contacts;
  readonly query: ContactQuery;
  readonly selection: Selection;
  readonly onShowHeld: () => void;
  readonly onHeldDeleted: () => void;
  readonly onShowAll: () => void;
}

export function Found(props: FoundProps) {
  const { pages, held, query, selection, onShowHeld, onShowAll } = props;
  const { found, isLoading, isCurrent, loadMore } = pages;
  if (found === null) {
    if (isLoading) return <ListSkeleton />;
    return <Failure sentence="Your contacts could not be loaded." onRetry={loadMore} />;
  }
  const isShown = (contact: OwnContact) => !selection.isHidden(contact);
  const shown = found.contacts.filter(isShown);
  const shownHeld =
    held.isEnabled && held.isCurrent ? held.found?.contacts.filter(isShown) : undefined;
  const isEnd = isCurrent && found.next === '';
  const isEmpty = isEnd && shown.length === 0 && (shownHeld?.length ?? found.heldCount) === 0;
  return (
    <>
      {found.asOf !== undefined && (
        <output className="contacts-kept">
          {`You are offline. These are your newest contacts as of ${fullText(new Date(found.asOf))}.`}
        </output>
      )}
      <ContactList
        contacts={shown}
        order={query.order}
        selectedId={selection.selected?._id}
        onSelect={selection.select}
      />
      {isEmpty &&
        (isAll(query) ? <NoContacts /> : <NothingFound query={query} onClear={onShowAll} />)}
      <More pages={pages} />
      {isEnd && !held.isEnabled && found.heldCount > 0 && (
        <Button className="contacts-more" onClick={onShowHeld}>
          {`Show ${found.heldCount} more`}
        </Button>
      )}
      {shownHeld !== undefined && shownHeld.length > 0 && (
        <HeldContacts
          count={shownHeld.length}
          onDeleted={() => {
            if (shownHeld.some(({ _id }) => _id === selection.selected?._id))
              selection.select(null);
            props.onHeldDeleted();
          }}
        >
          <ContactList
            contacts={shownHeld}
            order={query.order}
            selectedId={selection.selected?._id}
            onSelect={selection.select}
          />
        </HeldContacts>
      )}
      <More pages={held} />
      <Foot keepDays={found.keepDays} hasContacts={shown.length > 0} />
    </>
  );
}

interface FootProps {
  readonly keepDays: number | null;
  readonly hasContacts: boolean;
}

function Foot({ keepDays, hasContacts }: FootProps) {
  return (
    <div className="contacts-foot">
      {keepDays !== null && <p>{`Contacts are deleted after ${keepDays} days.`}</p>}
      {hasContacts && canKeepContacts() && (
        <p>
          {`The newest ${CONTACTS_PER_PAGE} are kept on this device, so that you can call without a network. Log out removes them.`}
        </p>
      )}
    </div>
  );
}

interface CountProps {
  readonly pages: Contacts;
  readonly selection: Selection;
}

/** Of the contacts that are not held; of a search as far as it is known. */
export function Count({ pages: { found, isCurrent }, selection }: CountProps) {
  if (found === null || !isCurrent) return <output className="contacts-count" />;
  const { contacts, next, count, query } = found;
  const shown = contacts.filter((contact) => !selection.isHidden(contact)).length;
  const all = Math.max(shown, count - (contacts.length - shown));
  return (
    <output className="contacts-count">
      {isAll(query)
        ? all > 0 && `${all.toLocaleString(LOCALE)} ${all === 1 ? 'contact' : 'contacts'}`
        : `${next === '' ? '' : 'More than '}${shown.toLocaleString(LOCALE)} found`}
    </output>
  );
}
