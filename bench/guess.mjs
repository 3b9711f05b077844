// Strangers who send wrong codes and invalid tokens.
const GUESSES_PER_CODE = 5;

/** Requests a code for a phone and guesses it, from an address of its own. */
export async function guessCodes(send, { at, round }) {
  const headers = { 'x-forwarded-for': `172.25.${at}.${round & 255}` };
  const phone = `98${at}${String(round).padStart(7, '0')}`;
  const request = JSON.stringify({ appId: 'tessera', phone });
  const { text } = await send('/api/otp/send', { headers, body: request });
  const body = JSON.stringify({ challenge: JSON.parse(text).challenge ?? '', code: '000000' });
  for (let guesses = 0; guesses < GUESSES_PER_CODE; guesses += 1) {
    await send('/api/otp/verify', { headers, body });
  }
}

/** Sends an invalid token of a login provider. */
export async function guessTokens(send, { at, round }) {
  const authorization = `invalid-${at}-${round}`.padEnd(43, 'x');
  const headers = { authorization, 'x-forwarded-for': `172.26.${at}.${(round >> 5) & 255}` };
  await send('/api/user/authenticate/phone', { headers });
}
