import { NavigationType } from 'react-router';
import type { Location } from 'react-router';

/** In CSS pixels, by the key of the history entry that was left. */
const positions = new Map<string, number>();

export function saveScroll({ key }: Location): void {
  positions.set(key, window.scrollY);
}

/** A new page begins at its top; Back and Forward return to where it was left. */
export function restoreScroll({ key }: Location, action: NavigationType): void {
  const position = positions.get(key);
  if (action === NavigationType.Pop) {
    if (position !== undefined) window.scrollTo(0, position);
  } else if (action === NavigationType.Push) {
    window.scrollTo(0, 0);
  }
}
