import './contact-list.css';
import './contact-detail.css';

import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';

import { openHeld } from '#contract/contacts-view.ts';
import type { Template } from '#domain/follow-up.ts';
import { ADD_CONTACT_QUERY, SHARED_QUERY } from '#domain/share.ts';
import { call } from '#web/shared/http/call.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { useIsNarrow } from '#web/shared/ui/media-query.ts';

import { AddContact, WaitingNote } from './add-contact.tsx';
import { Detail } from './detail.tsx';
import { ExportLinks } from './export.tsx';
import { Count, Found } from './found.tsx';
import { ImportContacts } from './import-contacts.tsx';
import { SearchForm } from './search-form.tsx';
import { ContactsSkeleton } from './skeleton.tsx';
import { Templates } from './templates.tsx';
import { UndoBars } from './undo.tsx';
import { useContacts } from './use-contacts.ts';
import type { Contacts } from './use-contacts.ts';
import { isNone } from './query.ts';
import type { ContactQuery } from './query.ts';
import { useDrafts } from './use-drafts.ts';
import { useOpenedContact } from './use-opened-contact.ts';
import { useSelection } from './use-selection.ts';
import type { Selection } from './use-selection.ts';
import type { WaitingContact } from './waiting.ts';

const ALL_CONTACTS: ContactQuery = { search: '', tag: '', order: 'newest' };

/** docs/product.md#contacts-view. */
export function Page() {
  const [query, setQuery] = useState(ALL_CONTACTS);
  const [showsHeld, setShowsHeld] = useState(false);
  const pages = useContacts({ query });
  const held = useContacts({ query, isHeld: true, isEnabled: showsHeld });
  const selection = useSelection([pages, held]);
  useOpenedContact(selection.select);
  useHeldOpened(selection.selected?._id, held);
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
  const hasNone = isNone(pages.found);
  const isFirst = pages.found === null && pages.isLoading && query === ALL_CONTACTS;
  return (
    <div className="contacts">
      <header className="contacts-head row">
        <h1 ref={title} tabIndex={-1}>
          Contacts
        </h1>
        <Count {...pages} />
        {!hasNone && !isNarrow && !isFirst && <ExportLinks query={query} />}
      </header>
      <Adding templates={pages.found?.templates} />
      {isFirst ? (
        <ContactsSkeleton />
      ) : (
        <div className="contacts-columns">
          <div ref={list} aria-busy={!pages.isCurrent || undefined}>
            {!hasNone && <SearchForm query={query} found={pages.found} onQuery={onQuery} />}
            <Found
              pages={pages}
              held={held}
              query={query}
              selection={selection}
              onShowHeld={() => setShowsHeld(true)}
              onHeldDeleted={() => {
                held.reload();
                focusTitle();
              }}
              onShowAll={() => onQuery({ ...query, search: '', tag: '' })}
            />
            {!hasNone && isNarrow && <ExportLinks query={query} />}
          </div>
          <OpenContact selection={selection} pages={pages} isNarrow={isNarrow} onClose={close} />
        </div>
      )}
      <UndoBars selection={selection} onFocusLost={focusTitle} />
    </div>
  );
}

interface AddingProps {
  /** Undefined until they are loaded. */
  readonly templates: readonly Template[] | undefined;
}

/** The buttons, what waits, and the dialog that is open. */
function Adding({ templates }: AddingProps) {
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

/** Tells the server, so that other software gets a held contact only when its owner has opened it. */
function useHeldOpened(id: string | undefined, { found }: Contacts) {
  const isHeld = found?.contacts.some(({ _id }) => _id === id) ?? false;
  useEffect(() => {
    if (id !== undefined && isHeld) void call(openHeld, { body: { contact: id } });
  }, [id, isHeld]);
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
      drafts={drafts}
      templates={pages.found?.templates ?? []}
      hasPush={pages.found?.hasPush ?? false}
      onChange={(patch) => selection.change(selected._id, patch)}
      onDeleted={() => {
        drafts.remove(selected._id);
        selection.hide(selected);
      }}
      isDialog={isNarrow}
      onClose={onClose}
    />
  );
}
