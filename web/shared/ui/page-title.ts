import { useEffect } from 'react';

import { settings } from '#web/shared/http/settings.ts';

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} - ${settings().productName}`;
  }, [title]);
}
