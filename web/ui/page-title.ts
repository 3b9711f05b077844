import { useEffect } from 'react';

import { settings } from '#web/http/settings.ts';

/** Names the page in the tab, in the history and to screen readers. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} - ${settings().productName}`;
  }, [title]);
}
