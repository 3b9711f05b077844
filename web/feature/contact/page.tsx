import './contact-list.css';
import './contact-detail.css';

import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router';

import type { Template } from '#domain/follow-up.ts';
import { ADD_CONTACT_QUERY, SHARED_QUERY } from '#domain/share.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { useIsNarrow } from '#web/shared/ui/media-query.ts';

import { AddContact, WaitingNote } from './contact-form.tsx';
import { Detail } from './detail.tsx';
import { ExportLinks, SearchForm } from './search-form.tsx';
import { Count, Found } from './found.tsx';
import { ImportContacts } from './import-contacts.tsx';
import { useDrafts } from './note.tsx';
import { Templates } from './follow-up.tsx';
import { UndoBars, useHeldOpened, useSelection } from './selection.tsx';
import { isAll, isNone, reloadLists, useContacts } from './use-contacts.ts';
import type { ContactQuery, Contacts } from './use-contacts.ts';
import type { Selection } from './selection.tsx';
import type { WaitingContact } from './waiting.ts';

const ALL_CONTACTS: ContactQuery = { search: '', tag: '', order: 'newest' };

/** docs/product.md#contacts-view. */
export function Page() {
  const [query, setQuery] = useState(ALL_CONTACTS);
  const [showsHeld, setShowsHeld] = useState(false);
  const pages = useContacts({ query });
  const held = useContacts({ query, isHeld: true, isEnabled: showsHeld });
  const selection = useSelection([pages, held]);
  useHeldOpened(selection, held.found?.contacts);
  const list = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);

  const onQuery = (next: ContactQuery) => {
    setShowsHeld(false);
    setQuery(next);
  };
  const close = () => {
    const id = selection.selected?._id ?? '';
    selection.select(null);
    list.current?.querySelector<HTMLElement>(`[data-contact="${id}"]`)?.focus();
  };
  const focusTitle = () => title.current?.focus({ preventScroll: true });
  const isNarrow = useIsNarrow();
  const { found } = pages;
  const isFirst = found === null && pages.isLoading && isAll(query);
  // The search stays after a failure, so that it can be changed.
  const hasSome = !isFirst && !(found && isNone(found));
  return (
    <div className="contacts">
      <header className="contacts-head row">
        <h1 ref={title} tabIndex={-1}>
          Contacts
        </h1>
        <Count {...pages} />
        {hasSome && !isNarrow && <ExportLinks query={query} />}
      </header>
      <Adding templates={found?.templates} selection={found && hasSome ? selection : null} />
      <div className="contacts-columns">
        <div ref={list} aria-busy={!pages.isCurrent || undefined}>
          {hasSome && <SearchForm query={query} found={found} onQuery={onQuery} />}
          <Found
            pages={pages}
            held={held}
            query={query}
            selection={selection}
            onShowHeld={() => setShowsHeld(true)}
            onHeldDeleted={() => {
              const { selected } = selection;
              if (held.found?.contacts.some(({ _id }) => _id === selected?._id))
                selection.select(null);
              reloadLists();
              focusTitle();
            }}
            onShowAll={() => onQuery({ ...query, search: '', tag: '' })}
          />
          {hasSome && isNarrow && <ExportLinks query={query} />}
        </div>
        <OpenContact selection={selection} pages={pages} isNarrow={isNarrow} onClose={close} />
      </div>
      <UndoBars selection={selection} onFocusLost={focusTitle} />
    </div>
  );
}

interface AddingProps {
  readonly templates: readonly Template[] | undefined;
  /** Null without contacts. */
  readonly selection: Selection | null;
}

function Adding({ templates, selection }: AddingProps) {
  const [showsTemplates, setShowsTemplates] = useState(false);
  const [search, setSearch] = useSearchParams();
  const [rejected, setRejected] = useState<WaitingContact | null>(null);
  const open = (name: string) => setSearch(name === '' ? {} : { [name]: '' }, { replace: true });
  const close = () => {
    setRejected(null);
    open('');
  };
  return (
    <div className="contacts-add row">
      <Button onClick={() => open(ADD_CONTACT_QUERY)}>Add contact</Button>
      <ImportContacts isShared={search.has(SHARED_QUERY)} onClose={close} />
      <Button onClick={() => setShowsTemplates(true)}>Templates</Button>
      {selection && (
        <Button
          aria-pressed={selection.chosen !== null}
          onClick={() => selection.choose(selection.chosen ? null : new Set())}
        >
          Choose several
        </Button>
      )}
      {showsTemplates && templates && (
        <Templates templates={templates} onClose={() => setShowsTemplates(false)} />
      )}
      <WaitingNote
        onEdit={(contact) => {
          setRejected(contact);
          open(ADD_CONTACT_QUERY);
        }}
      />
      {search.has(ADD_CONTACT_QUERY) && <AddContact rejected={rejected} onClose={close} />}
    </div>
  );
}

interface OpenContactProps {
  readonly selection: Selection;
  readonly pages: Contacts;
  readonly isNarrow: boolean;
  readonly onClose: () => void;
}

/** Beside the list, or over it on a phone. */
function OpenContact({ selection, pages, isNarrow, onClose }: OpenContactProps) {
  const drafts = useDrafts();
  const { selected } = selection;
  if (!selected) {
    if (isNarrow || !pages.found?.contacts.length) return null;
    return <p className="contacts-choose muted">Choose a contact to see more.</p>;
  }
  return (
    <Detail
      key={selected._id}
      contact={selected}
      found={pages.found}
      {...{ drafts, selection, onClose }}
      isDialog={isNarrow}
    />
  );
}
