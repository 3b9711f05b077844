import { useEffect } from 'react';

import { settings } from '#web/http/settings.ts';

/** Sets the title of the document to the page's title and the product's name. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} - ${settings().productName}`;
  }, [title]);
}
