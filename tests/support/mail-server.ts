import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';

interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string;
  readonly isEncrypted: boolean;
  readonly source: string;
}

interface Options extends SMTPServerOptions {
  /** An address beyond 127.0.0.1 counts as another machine, to which codes are sent encrypted only. */
  readonly host?: string;
  /** Replies to the message after its content has arrived. An error rejects it. */
  readonly onMessage?: (() => Promise<Error | null>) | undefined;
}

export const rejection = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

/** A real mail server on this machine, for the user 'codes' with the password 'p@ss:word'. */
export async function startMailServer({ host = '127.0.0.1', onMessage, ...options }: Options = {}) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: options.key || options.secure ? [] : ['STARTTLS'],
    allowInsecureAuth: !options.key,
    closeTimeout: 0,
    onAuth: ({ username = '', password }, _session, callback) =>
      password === 'p@ss:word'
        ? callback(null, { user: username })
        : callback(rejection(535, `wrong password ${password}`)),
    onData: async (stream, { envelope, user, secure }, callback) => {
      const source = await text(stream);
      const error = (await onMessage?.()) ?? null;
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      const to = envelope.rcptTo.map(({ address }) => address);
      if (!error) mails.push({ from, to, user: String(user), isEncrypted: secure, source });
      callback(error);
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  const { port } = server.server.address() as { port: number };
  const scheme = options.secure ? 'smtps' : 'smtp';
  return { mails, environment: mailEnvironment(`${host}:${port}`, scheme), close };
}

export const mailEnvironment = (address: string, scheme = 'smtp') => ({
  SMS_GATEWAY: 'email',
  SMTP_URL: `${scheme}://codes:p%40ss%3Aword@${address}`,
  SMTP_FROM: 'codes@example.com',
  PRODUCT_NAME: 'Tessera',
});
