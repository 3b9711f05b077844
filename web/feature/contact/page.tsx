import './contact-list.css';
import './contact-detail.css';

import { useRef, useState } from 'react';
import type { Ref } from 'react';

import { useIsNarrow } from '#web/shared/ui/media-query.ts';

import { WaitingNote } from './contact-form.tsx';
import { Detail } from './detail.tsx';
import { Count, Found } from './found.tsx';
import { UnsavedNotes } from './note.tsx';
import { useDrafts } from './note-drafts.ts';
import type { Drafts } from './note-drafts.ts';
import { OpeningStatus, useReportHeldOpened } from './opening.tsx';
import type { OpenedReport } from './opening.tsx';
import { ToDo } from './to-do.tsx';
import { Order, SearchForm } from './search-form.tsx';
import { UndoBars, useSelection } from './selection.tsx';
import { ToolDialogs, useTools } from './tools.tsx';
import { isUnfiltered, hasNoContacts, reloadLists, useContacts } from './use-contacts.ts';
import type { ContactQuery, Contacts } from './use-contacts.ts';
import type { Selection } from './selection.tsx';

const ALL_CONTACTS: ContactQuery = { search: '', tag: '', order: 'newest' };

/** docs/develop/product.md#contacts-view. */
export function Page() {
  const [query, setQuery] = useState(ALL_CONTACTS);
  const [showsHeld, setShowsHeld] = useState(false);
  const pages = useContacts({ query });
  const held = useContacts({ query, isHeld: true, isEnabled: showsHeld });
  const selection = useSelection([pages, held]);
  const openedReport = useReportHeldOpened(selection, held.found?.contacts);
  const tools = useTools();
  const drafts = useDrafts();
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
  const isFirstLoad = found === null && pages.isLoading && isUnfiltered(query);
  // After a failure the search form stays, so that the owner can change the search.
  const hasTools = !isFirstLoad && !(found && hasNoContacts(found));
  return (
    <div className="contacts">
      <Head {...{ title, pages, query, onQuery, hasTools }} />
      <WaitingNote onEdit={tools.add} />
      <UnsavedNotes {...{ drafts, selection }} lists={[pages, held]} />
      <OpeningStatus {...selection} />
      <div className="contacts-columns">
        <div ref={list} aria-busy={!pages.isCurrent || undefined}>
          {hasTools && <SearchForm {...{ query, found, onQuery, tools, selection }} />}
          <Found
            {...{ pages, held, query, selection, tools }}
            onEndSelection={() => {
              selection.choose(null);
              focusTitle();
            }}
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
        </div>
        <RightColumn {...{ drafts, selection, pages, openedReport, isNarrow }} onClose={close} />
      </div>
      <ToolDialogs tools={tools} templates={found?.templates} />
      <UndoBars selection={selection} onFocusLost={focusTitle} />
    </div>
  );
}

interface HeadProps {
  readonly title: Ref<HTMLHeadingElement>;
  readonly pages: Contacts;
  readonly query: ContactQuery;
  readonly onQuery: (query: ContactQuery) => void;
  readonly hasTools: boolean;
}

function Head({ title, pages, query, onQuery, hasTools }: HeadProps) {
  return (
    <header className="contacts-head row">
      <h1 ref={title} tabIndex={-1}>
        Contacts
      </h1>
      <Count {...pages} />
      {hasTools && <Order query={query} onQuery={onQuery} />}
    </header>
  );
}

interface RightColumnProps {
  readonly drafts: Drafts;
  readonly selection: Selection;
  readonly pages: Contacts;
  readonly openedReport: OpenedReport;
  readonly isNarrow: boolean;
  readonly onClose: () => void;
}

/** Shows the open contact or 'To do' beside the list. On a phone, the contact is in a dialog. */
function RightColumn(props: RightColumnProps) {
  const { drafts, selection, pages, openedReport, isNarrow, onClose } = props;
  const { selected } = selection;
  if (!selected) {
    const { found } = pages;
    if (isNarrow || !found?.contacts.length) return null;
    if (found.toDo.length > 0) return <ToDo found={found} selection={selection} />;
    return <p className="contacts-choose muted">Choose a contact to see more.</p>;
  }
  return (
    <Detail
      key={selected._id}
      contact={selected}
      found={pages.found}
      {...{ drafts, selection, openedReport, onClose }}
      isDialog={isNarrow}
    />
  );
}
