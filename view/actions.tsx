import { cardPath } from '#domain/share.ts';

import type { CardMode } from './card-mode.ts';
import { CONNECT_ID } from './connect.tsx';
import { Sign } from './icon.tsx';

interface CardActionsProps {
  readonly userId: string;
  readonly mode: CardMode;
}

/** The address of the contact file. */
export function contactFilePath(userId: string): string {
  return `${cardPath(userId)}/contact.vcf`;
}

/** Save and Connect, side by side in a thumb's reach. */
export function CardActions({ userId, mode }: CardActionsProps) {
  if (mode === 'preview') {
    return (
      <div className="card-actions">
        <span className="button button-filled">
          <Sign name="save" />
          Save
        </span>
        <span className="button button-outlined">
          <Sign name="connect" />
          Connect
        </span>
      </div>
    );
  }
  return (
    <div className="card-actions">
      <a className="button button-filled" href={contactFilePath(userId)}>
        <Sign name="save" />
        Save
      </a>
      <button className="button button-outlined" type="button" {...opens}>
        <Sign name="connect" />
        Connect
      </button>
    </div>
  );
}

/**
 * Opens the pop-up without script: as a modal dialog where the browser knows `command`, else as a
 * popover. A browser that knows neither (before 2023) is helped by the page's small script.
 */
const opens = {
  command: 'show-modal',
  commandfor: CONNECT_ID,
  popoverTarget: CONNECT_ID,
} as const;
