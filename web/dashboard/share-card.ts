import { shareText } from '#domain/share.ts';
import { settings } from '#web/http/settings.ts';

/** Opens the device's share sheet; where there is none, nothing happens (specification, section 7). */
export async function shareCard(link: string): Promise<void> {
  const { productName } = settings();
  const text = shareText(productName);
  try {
    await navigator.share({ title: productName, text, url: link });
  } catch {
    // No share sheet, or it was closed without a choice: both are nothing.
  }
}
