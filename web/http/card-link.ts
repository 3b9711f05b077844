import { cardPath } from '#domain/share.ts';

import { settings } from './settings.ts';

/** The public address of a user's card. */
export function cardLink(userId: string): string {
  return `${settings().publicUrl || location.origin}${cardPath(userId)}`;
}
