// Requests with wrong codes and invalid tokens.
import { NETWORKS } from './client.mjs';

const GUESSES_PER_CODE = 5;

/** Requests a code for a phone and guesses it, from its own address. */
export async function guessCodes(send, { index, round }) {
  const headers = { 'x-forwarded-for': `${NETWORKS.codeGuesses}.${index}.${round & 255}` };
  const phone = `98${index}${String(round).padStart(7, '0')}`;
  const request = JSON.stringify({ appId: 'tessera', phone });
  const { text } = await send('/api/otp/send', { headers, body: request });
  const body = JSON.stringify({ challenge: JSON.parse(text).challenge ?? '', code: '000000' });
  for (let guesses = 0; guesses < GUESSES_PER_CODE; guesses += 1) {
    await send('/api/otp/verify', { headers, body });
  }
}

/** Sends an invalid token of a login provider. */
export async function guessTokens(send, { index, round }) {
  const authorization = `invalid-${index}-${round}`.padEnd(43, 'x');
  const address = `${NETWORKS.tokenGuesses}.${index}.${(round >> 5) & 255}`;
  const headers = { authorization, 'x-forwarded-for': address };
  await send('/api/user/authenticate/phone', { headers });
}
