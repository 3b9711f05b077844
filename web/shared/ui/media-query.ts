import { useSyncExternalStore } from 'react';

// The sidebar becomes a drawer at this width (sidebar.css).
const NARROW = '(width < 900px)';

export const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(NARROW).matches,
    () => false,
  );

function subscribe(notify: () => void): () => void {
  const list = matchMedia(NARROW);
  list.addEventListener('change', notify);
  return () => list.removeEventListener('change', notify);
}
