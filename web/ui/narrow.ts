import { useSyncExternalStore } from 'react';

// The sidebar is a drawer at this width; same value as in sidebar.css.
const NARROW = '(width < 900px)';

/** Whether the window is too narrow for two columns. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    subscribeToWidth,
    () => matchMedia(NARROW).matches,
    () => false,
  );
}

function subscribeToWidth(notify: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener('change', notify);
  return () => query.removeEventListener('change', notify);
}
