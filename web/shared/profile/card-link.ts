import { cardPath } from '#domain/share.ts';
import { settings } from '#web/shared/http/settings.ts';

export function cardLink(userId: string): string {
  return `${settings().publicUrl || location.origin}${cardPath(userId)}`;
}
