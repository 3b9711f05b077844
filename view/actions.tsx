import { cardPath } from '#domain/share.ts';

import type { CardMode } from './card-mode.ts';
import { CONNECT_ID } from './connect.tsx';
import { Sign } from './icon.tsx';

interface CardActionsProps {
  readonly userId: string;
  readonly mode: CardMode;
}

/** The address of the contact file. */
function contactFilePath(userId: string): string {
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
      {/* Opens without script: as a popover. */}
      <button className="button button-outlined" type="button" popoverTarget={CONNECT_ID}>
        <Sign name="connect" />
        Connect
      </button>
    </div>
  );
}
