import { sendSignal, startAuthentication, startRegistration } from '@simplewebauthn/browser';

import {
  PASSKEY_UNKNOWN_HEADER,
  addPasskey,
  getPasskeyOptions,
  getPasskeyRequest,
  verifyPasskey,
} from '#contract/passkey.ts';
import type { Assertion } from '#contract/passkey.ts';
import { CallError, call, send } from '#web/shared/http/call.ts';
import type { CallOptions, CallResult } from '#web/shared/http/call.ts';
import { RequestError } from '#web/shared/http/request.ts';

import { answerPasskeyOffer } from './offer.ts';

interface Asking {
  readonly isInField?: boolean;
  /** Whether the browser may ask, once the challenge is there. */
  readonly mayAsk?: () => boolean;
}

/** The cookie has the newest challenge, so one is requested after another. */
let lastRequest: Promise<unknown> = Promise.resolve();

/** Asks for a passkey. Rejects with a CallError, or with another error if the person cancels. */
export async function askForPasskey(
  { isInField = false, mayAsk = () => true }: Asking = {},
  options: CallOptions = {},
): Promise<Assertion> {
  const requested = lastRequest.then(() => send(getPasskeyRequest, {}, options));
  lastRequest = requested.catch(() => undefined);
  const { body: optionsJSON } = await requested;
  if (!mayAsk()) throw new Error('The browser is already asking for a passkey.');
  const request = { optionsJSON, useBrowserAutofill: isInField, verifyBrowserAutofillInput: false };
  return startAuthentication(request);
}

/** Tells the browser to forget a passkey that the server does not know. Few browsers can. */
export async function forgetIfUnknown(
  { headers }: Pick<CallResult<unknown>, 'headers'>,
  { id }: Assertion,
): Promise<void> {
  if (headers[PASSKEY_UNKNOWN_HEADER] !== 'true') return;
  const rpID = location.hostname;
  await sendSignal({ signalName: 'unknownCredential', rpID, credentialID: id }).catch(
    () => undefined,
  );
}

/** Returns a token that stands for a fresh verification of the owner. Rejects with a RequestError. */
export async function verifyByPasskey(): Promise<string> {
  const assertion = await askForPasskey().catch(
    explain('No passkey was used. Try again, or use a code.'),
  );
  const result = await call(verifyPasskey, { body: assertion });
  if (result.body) return result.body.token;
  await forgetIfUnknown(result, assertion);
  throw new CallError(result);
}

/**
 * Adds a passkey of this device. Returns false, and adds none, if a token of a fresh verification is needed.
 * Rejects with a RequestError.
 */
export async function createPasskey(token?: string): Promise<boolean> {
  const { body: optionsJSON } = await send(getPasskeyOptions);
  if (optionsJSON.needsVerification && token === undefined) return false;
  const { id, rawId, response } = await startRegistration({ optionsJSON }).catch(
    explain('No passkey was added. Try again.'),
  );
  const credential = { id, rawId, type: 'public-key' as const, response };
  await send(addPasskey, { body: { token, credential } });
  answerPasskeyOffer();
  return true;
}

const explain = (sentence: string) => (cause: unknown) => {
  if (cause instanceof CallError) throw cause;
  const isThere = cause instanceof Error && cause.name === 'InvalidStateError';
  throw new RequestError(
    isThere ? 'This device already has a passkey for your account.' : sentence,
  );
};
