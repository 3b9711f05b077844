import { useEffect, useState } from 'react';

import { exportCsv, exportVcard } from '#contract/contacts-view.ts';
import { PATHS } from '#domain/path.ts';
import { cleanInput } from '#domain/text.ts';
import { useDownload } from '#web/shared/http/save-file.ts';
import { LineIcon } from '#web/shared/ui/button.tsx';

import type { ContactQuery, FoundContacts } from './use-contacts.ts';

/** A pause in the typing starts a search. */
const DELAY_MS = 250;
const SEARCH_LENGTH_MAX = 100;

interface SearchFormProps {
  readonly query: ContactQuery;
  /** Null until they are loaded, and after a failure. */
  readonly found: FoundContacts | null;
  readonly onQuery: (query: ContactQuery) => void;
}

export function SearchForm({ query, found, onQuery }: SearchFormProps) {
  const [typed, setTyped] = useState(query.search);
  const [shownSearch, setShownSearch] = useState(query.search);
  // The search was changed elsewhere.
  if (query.search !== shownSearch) {
    setShownSearch(query.search);
    if (query.search === '') setTyped('');
  }
  const search = cleanInput(typed).trim();
  useEffect(() => {
    if (search === query.search) return undefined;
    const timer = setTimeout(() => onQuery({ ...query, search }), search === '' ? 0 : DELAY_MS);
    return () => clearTimeout(timer);
  }, [search, query, onQuery]);
  return (
    <search className="contacts-search row">
      <div className="contacts-find">
        <LineIcon name="search" />
        <input
          className="field-input"
          type="text"
          aria-label="Search contacts"
          placeholder="Search contacts"
          inputMode="search"
          value={typed}
          maxLength={SEARCH_LENGTH_MAX}
          dir="auto"
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
        />
      </div>
      <select
        className="field-input"
        aria-label="Order"
        value={query.order}
        onChange={({ target }) =>
          onQuery({ ...query, order: target.value === 'name' ? 'name' : 'newest' })
        }
      >
        <option value="newest">Newest</option>
        <option value="name">By name</option>
      </select>
      <TagFilter {...{ query, found, onQuery }} />
    </search>
  );
}

/** A second press of a tag shows all contacts again. */
function TagFilter({ query, found, onQuery }: SearchFormProps) {
  const tags = found?.tags ?? [];
  if (tags.length === 0) return null;
  return (
    <fieldset className="contacts-filter choices">
      <legend className="visually-hidden">Show a tag</legend>
      {tags.map(({ tag, count }) => (
        <button
          key={tag}
          type="button"
          aria-pressed={tag === query.tag}
          onClick={() => onQuery({ ...query, tag: tag === query.tag ? '' : tag })}
        >
          <bdi>{tag}</bdi> <span>{count}</span>
        </button>
      ))}
    </fieldset>
  );
}

const FORMATS = [
  { name: 'Export CSV', endpoint: exportCsv, fileName: 'contacts.csv' },
  { name: 'Export vCard', endpoint: exportVcard, fileName: 'contacts.vcf' },
] as const;

export function ExportLinks({ query }: { readonly query: ContactQuery }) {
  const { isBusy, message, download } = useDownload();
  return (
    <div className="contacts-export">
      {FORMATS.map(({ name, endpoint, fileName }) => (
        <a
          key={name}
          className="link"
          // The download needs a header, so a link that is opened in a new tab shows this page instead.
          href={PATHS.contacts}
          aria-disabled={isBusy || undefined}
          onClick={(event) => {
            event.preventDefault();
            download(endpoint, { body: query }, fileName);
          }}
        >
          {name}
        </a>
      ))}
      <output className="muted">{message}</output>
    </div>
  );
}
