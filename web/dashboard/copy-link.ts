import { copiedMessage } from '#domain/share.ts';
import { logFailure } from '#web/http/log.ts';
import { showAlert } from '#web/ui/alert.ts';

/** Puts the link on the clipboard and says so. */
export async function copyLink(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
  } catch (cause) {
    logFailure('The link was not copied', cause);
    return;
  }
  showAlert(copiedMessage(link));
}
