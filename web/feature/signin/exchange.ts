import { authenticatePhone } from '#contract/signin.ts';
import { canStore } from '#web/shared/http/browser-storage.ts';
import { call, inLanguage } from '#web/shared/http/call.ts';
import { loadCode } from '#web/shared/http/request.ts';
import { settings } from '#web/shared/http/settings.ts';
import { signinTexts } from '#web/shared/otp/widget.ts';
import type { WidgetFailure } from '#web/shared/otp/widget.ts';
import { setPasskeyOffer } from '#web/shared/passkey/offer.ts';

import { finishSignIn } from './finish.ts';

/**
 * Exchanges the token of the provider for a session. Returns the failure, or null after it has started a full page
 * load, which discards the provider's code.
 */
export async function exchangeToken(token: string): Promise<WidgetFailure | null> {
  if (!canStore()) return { sentence: signinTexts().allowStorage };
  setPasskeyOffer(settings().provider?.kind !== 'oidc');
  const options = { ...inLanguage, authorization: token };
  const result = await call(authenticatePhone, {}, options);
  if (result.error?.error !== 'account_dormant') return finishSignIn(result);
  const { askAboutDormant } = await loadCode(import('./dormant.ts'));
  return askAboutDormant(result.error.message, token);
}
