import { useEffect, useState } from 'react';

import { cleanLineInput } from '#domain/text.ts';
import { LineIcon } from '#web/shared/ui/button.tsx';
import { useIsNarrow } from '#web/shared/ui/media-query.ts';

import type { Selection } from './selection.tsx';
import { ToolButtons } from './tools.tsx';
import type { ContactTools } from './tools.tsx';
import type { ContactQuery, FoundContacts } from './use-contacts.ts';

/** A search starts after this pause in the typing. */
const DELAY_MS = 250;
const SEARCH_LENGTH_MAX = 100;

interface SearchFormProps {
  readonly query: ContactQuery;
  /** Null until the contacts are loaded, and after a failure. */
  readonly found: FoundContacts | null;
  readonly onQuery: (query: ContactQuery) => void;
  readonly tools: ContactTools;
  readonly selection: Selection;
}

export function SearchForm({ query, found, onQuery, tools, selection }: SearchFormProps) {
  const isNarrow = useIsNarrow();
  const [isUsed, setUsed] = useState(false);
  const [typed, setTyped] = useState(query.search);
  const [previousSearch, setPreviousSearch] = useState(query.search);
  // If 'Show all contacts' has cleared the search, the input is cleared too.
  if (query.search !== previousSearch) {
    setPreviousSearch(query.search);
    if (query.search === '') setTyped('');
  }
  const search = cleanLineInput(typed).trim();
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
          onFocus={() => setUsed(true)}
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
        />
      </div>
      <ToolButtons {...{ tools, query, selection }} hasTemplates={found !== null} />
      {/* On a phone the tags appear with the first search, so that the list begins further up. */}
      {(isUsed || !isNarrow || query.tag !== '') && <TagFilter {...{ query, found, onQuery }} />}
    </search>
  );
}

export function Order({ query, onQuery }: Pick<SearchFormProps, 'query' | 'onQuery'>) {
  return (
    <select
      className="contacts-order field-input"
      aria-label="Order"
      value={query.order}
      onChange={({ target }) =>
        onQuery({ ...query, order: target.value === 'name' ? 'name' : 'newest' })
      }
    >
      <option value="newest">Newest</option>
      <option value="name">By name</option>
    </select>
  );
}

/** Filters by a tag. Pressing the same tag again removes the filter. */
function TagFilter({
  query,
  found,
  onQuery,
}: Pick<SearchFormProps, 'query' | 'found' | 'onQuery'>) {
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
