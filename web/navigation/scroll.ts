import { NavigationType } from 'react-router';
import type { Location } from 'react-router';

/** The scroll position of each history entry that the user has left, in CSS pixels, by its key. */
const positions = new Map<string, number>();

/** Saves the scroll position of an entry when the user leaves it. */
export function saveScroll({ key }: Location): void {
  positions.set(key, window.scrollY);
}

/** Scrolls a new page to its top, and a page that Back or Forward opens to where it was left. */
export function restoreScroll({ key }: Location, action: NavigationType): void {
  const position = positions.get(key);
  if (action === NavigationType.Pop) {
    if (position !== undefined) window.scrollTo(0, position);
  } else if (action === NavigationType.Push) {
    window.scrollTo(0, 0);
  }
}
