import { sendFailure, sendJson } from './fake-failures.ts';
import type { Handler } from './fake-services.ts';

export const WHATSAPP = {
  number: '106540352242922',
  token: 'whatsapp-token-1',
  path: '/whatsapp/v23.0/106540352242922',
};

/** The last digit but one of the recipient's phone selects the answer. */
export const WHATSAPP_ANSWERS = [
  'accepted',
  '132001',
  '131026',
  '190',
  '130429',
  '131056',
  'broken',
  'hang',
  'html',
  'huge',
] as const;

const STATUS_OF_CODE: Readonly<Record<string, number>> = { 190: 401, 132001: 404, 130429: 429 };

export const sendWhatsapp: Handler = ({ headers, body }, response) => {
  const { to } = JSON.parse(body) as { to: string };
  const isKnown = headers['authorization'] === `Bearer ${WHATSAPP.token}`;
  const answer = isKnown ? (WHATSAPP_ANSWERS[Number(to.at(-2))] ?? '') : '190';
  if (answer === 'accepted') {
    return sendJson(response, 200, {
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: to }],
      messages: [{ id: 'wamid.HBgLMTY1MDUwNzY1MjAVAgARGBI5', message_status: 'accepted' }],
    });
  }
  if (sendFailure(answer, response)) return;
  sendError(response, answer, `(#${answer}) Message to ${to} undeliverable`);
};

export const readWhatsappNumber: Handler = ({ headers }, response) => {
  if (headers['authorization'] !== `Bearer ${WHATSAPP.token}`) return sendError(response, '190');
  sendJson(response, 200, { id: WHATSAPP.number, verified_name: 'Tessera' });
};

function sendError(response: Parameters<Handler>[1], code: string, message = 'Invalid token') {
  const error = { message, type: 'OAuthException', code: Number(code), fbtrace_id: 'Az8or2yhqkZ' };
  sendJson(response, STATUS_OF_CODE[code] ?? 400, { error });
}
