import { ADDED_MAX } from '#contract/contacts-view.ts';
import { Button } from '#web/shared/ui/button.tsx';

import type { ParsedFile } from './import-file.ts';

export type PersonStatus = 'New' | 'Already there' | 'Same person' | 'Cut off';

interface SummaryProps {
  readonly file: ParsedFile;
  readonly statuses: readonly PersonStatus[];
  /** Ticks the people at these positions. Null if all new people are ticked already. */
  readonly onSelect: ((positions: ReadonlySet<number>) => void) | null;
}

/** Accounts for every card of the file. */
export function Summary({ file, statuses, onSelect }: SummaryProps) {
  const { cardCount, people, personCount, hasMore, leftOut } = file;
  const count = (wanted: PersonStatus) => statuses.filter((status) => status === wanted).length;
  const parts: [number, string][] = [
    [count('New'), 'to add'],
    [count('Already there'), 'you have'],
    [count('Same person'), 'listed twice'],
    [count('Cut off'), 'incomplete at the end'],
    [[...leftOut.values()].reduce((sum, one) => sum + one.count, 0), 'left out'],
    [personCount - people.length, 'not shown'],
  ];
  const newOnes = statuses.flatMap((status, index) => (status === 'New' ? [index] : []));
  const text = parts.flatMap(([number, label]) => (number > 0 ? `${number} ${label}` : []));
  return (
    <div className="stack">
      {personCount > people.length && (
        <p role="alert">
          {`This file has ${personCount} people. The first ${ADDED_MAX} are shown here. Import the others from a second file.`}
        </p>
      )}
      <p className="muted">
        {`${cardCount} ${cardCount === 1 ? 'card' : 'cards'} in this file: ${text.join(', ')}.`}
      </p>
      {hasMore && (
        <p className="muted">Only one phone and one email of each person are imported.</p>
      )}
      {onSelect && newOnes.length > 1 && (
        <Button variant="plain" onClick={() => onSelect(new Set(newOnes))}>
          Select all new
        </Button>
      )}
    </div>
  );
}

/** Names the people who cannot be imported, grouped by the reason. */
export function LeftOut({ file }: { readonly file: ParsedFile }) {
  return [...file.leftOut].map(([reason, { count, names }]) => (
    <p key={reason} className="import-left-out">
      <strong>{`${count} left out (${reason}):`}</strong> <bdi>{names.join(', ')}</bdi>
      {count > names.length && ` and ${count - names.length} more`}
    </p>
  ));
}
