import './wordmark.css';

import { settings } from '#web/http/settings.ts';

const MARK_SIDE_PX = 28;

/** The product's mark and name. */
export function Wordmark() {
  return (
    <span className="wordmark">
      <img src="/favicon.svg" width={MARK_SIDE_PX} height={MARK_SIDE_PX} alt="" />
      {settings().productName}
    </span>
  );
}
