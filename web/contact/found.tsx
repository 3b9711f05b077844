import type { OwnContact } from '#contract/contacts-view.ts';
import { Button } from '#web/ui/button.tsx';
import { LOCALE } from '#web/ui/date-text.ts';
import { HeldContacts } from '#web/ui/held-contacts.tsx';

import { ContactList, Failure, More, NoContacts, NothingFound } from './list.tsx';
import { ListSkeleton } from './skeleton.tsx';
import type { Contacts, ContactQuery } from './use-contacts.ts';
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
      {found.keepDays !== null && (
        <p className="contacts-held">{`Contacts are deleted after ${found.keepDays} days.`}</p>
      )}
    </>
  );
}

const isAll = ({ search, tag }: ContactQuery) => search === '' && tag === '';

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
        ? `${all.toLocaleString(LOCALE)} ${all === 1 ? 'contact' : 'contacts'}`
        : `${next === '' ? '' : 'More than '}${shown.toLocaleString(LOCALE)} found`}
    </output>
  );
}
