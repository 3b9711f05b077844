interface CodeRequest extends CredentialRequestOptions {
  readonly otp: { readonly transport: readonly ['sms'] };
}

/**
 * Waits for the code to come by text message, where the browser can read it (WebOTP, Chrome on
 * Android). Never rejects; null where nothing came. Ends with `signal`.
 */
export async function codeFromMessage(signal: AbortSignal): Promise<string | null> {
  if (!('OTPCredential' in window)) return null;
  const request: CodeRequest = { otp: { transport: ['sms'] }, signal };
  try {
    const credential = await navigator.credentials.get(request);
    return credential && 'code' in credential ? String(credential.code) : null;
  } catch {
    return null;
  }
}
