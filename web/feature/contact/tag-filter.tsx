import type { FoundContacts } from './query.ts';

interface TagFilterProps {
  readonly tags: FoundContacts['tags'];
  /** '' for none. */
  readonly chosen: string;
  readonly onChoose: (tag: string) => void;
}

/** A second press of a tag shows all contacts again. */
export function TagFilter({ tags, chosen, onChoose }: TagFilterProps) {
  if (tags.length === 0) return null;
  return (
    <fieldset className="contacts-filter choices">
      <legend className="visually-hidden">Show a tag</legend>
      {tags.map(({ tag, count }) => (
        <button
          key={tag}
          type="button"
          aria-pressed={tag === chosen}
          onClick={() => onChoose(tag === chosen ? '' : tag)}
        >
          <bdi>{tag}</bdi> <span>{count}</span>
        </button>
      ))}
    </fieldset>
  );
}
