import './wordmark.css';

import { settings } from '#web/http/settings.ts';

/** The product's mark and name. */
export function Wordmark() {
  return (
    <span className="wordmark">
      <svg viewBox="0 0 22 22" width="22" height="22" aria-hidden="true">
        <path d="M0 0h10v10H0zM12 12h10v10H12z" />
        <path d="M12 0h10v10H12zM0 12h10v10H0z" opacity=".4" />
      </svg>
      {settings().productName}
    </span>
  );
}
