import { useCallback, useSyncExternalStore } from 'react';

// The sidebar is a drawer at this width (sidebar.css).
const NARROW = '(width < 900px)';

export const useIsNarrow = (): boolean => useMediaQuery(NARROW);

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (notify: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', notify);
      return () => list.removeEventListener('change', notify);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}
