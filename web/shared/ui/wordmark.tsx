import { settings } from '#web/shared/http/settings.ts';

const LOGO_SIDE_PX = 28;

export function Wordmark() {
  return (
    <span className="wordmark">
      <img src="/favicon.svg" width={LOGO_SIDE_PX} height={LOGO_SIDE_PX} alt="" />
      {settings().productName}
    </span>
  );
}
