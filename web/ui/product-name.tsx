import './wordmark.css';

import { useEffect } from 'react';

import { settings } from '#web/http/settings.ts';

const LOGO_SIDE_PX = 28;

/** The product's logo and name. */
export function Wordmark() {
  return (
    <span className="wordmark">
      <img src="/favicon.svg" width={LOGO_SIDE_PX} height={LOGO_SIDE_PX} alt="" />
      {settings().productName}
    </span>
  );
}

/** Sets the title of the document to the page's title and the product's name. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} - ${settings().productName}`;
  }, [title]);
}
