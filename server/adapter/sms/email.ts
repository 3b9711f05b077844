import { createTransport } from 'nodemailer';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { CODE_LIFE_MS } from '#domain/signin.ts';
import { NoResponseError, TIME_OUT } from '#server/adapter/outside/exchange.ts';
import { isThisMachine } from '#server/settings/schema.ts';
import type { Settings } from '#server/settings/settings.ts';

import { GatewayError } from './gateway.ts';
import type { CheckGateway, GatewayEntry, SendText } from './gateway.ts';

type EmailSettings = Pick<Settings, 'smtpUrl' | 'smtpFrom' | 'productName'>;

/** The other gateways have the same time-out (http-client.ts). */
const TIMEOUT_MS = 5 * SECOND_MS;
const CODE_LIFE_MINUTES = CODE_LIFE_MS / MINUTE_MS;

export const emailGateway: GatewayEntry = {
  openGateway,
  openCheck,
  meanings: {
    EAUTH: 'The user or the password of SMTP_URL is wrong.',
    EENVELOPE: 'The server does not accept SMTP_FROM or the sign-in email.',
    EMESSAGE: 'The server does not accept the message.',
    ETLS: 'The server offers no STARTTLS, and codes are never sent unencrypted. Use another port, or smtps.',
  },
};

/** Sends the code to the sign-in email, in plain text and without a link (docs/operate/email.md). */
function openGateway(settings: EmailSettings): SendText {
  const { smtpFrom, productName } = settings;
  const transport = openTransport(settings);
  return async (_phone, code, email) => {
    if (!email) throw new Error('This number has no sign-in email.');
    const subject = `${code} is your code for ${productName}`;
    const text = `${subject}. It's valid for ${CODE_LIFE_MINUTES} minutes.\n\nIf you didn't ask for a code, you can ignore this email.\n`;
    const message = {
      // An address in an object is not parsed, so a comma in it cannot add a recipient.
      from: { name: productName, address: smtpFrom },
      to: { name: '', address: email },
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      subject,
      text,
    };
    await transport.sendMail(message).catch(rethrow);
  };
}

function openCheck(settings: EmailSettings): CheckGateway {
  return async () => {
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new NoResponseError(TIME_OUT)), TIMEOUT_MS).unref();
    });
    await Promise.race([openTransport(settings).verify().catch(rethrow), late]);
  };
}

function openTransport({ smtpUrl }: EmailSettings) {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port: Number(port) }),
    secure: protocol === 'smtps:',
    // Without this, somebody on the path could make the client send the code and the password unencrypted.
    requireTLS: !isThisMachine(hostname),
    ...(username !== '' && { auth }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
}

interface SmtpError {
  readonly code?: string;
  readonly message: string;
  readonly responseCode?: number;
}

/** These happen before the server learns the recipient, so their messages contain neither email nor code. */
const CONNECTION_ERRORS: ReadonlySet<string> = new Set(['EDNS', 'ESOCKET']);

/** The response is left out, because it may repeat the email or the subject. */
function rethrow({ code = '', message, responseCode: status }: SmtpError): never {
  if (code === 'EABORT' || code === 'ETIMEDOUT') throw new NoResponseError(TIME_OUT);
  if (status !== undefined)
    throw new GatewayError(`The mail server has not accepted a message (status ${status}).`, {
      status,
      content: { message: code },
    });
  const detail = CONNECTION_ERRORS.has(code) ? message : code;
  throw new NoResponseError(code, { message: `The mail server of SMTP_URL: ${detail}.` });
}
