import type { SendText } from '#server/sms/gateway.ts';

/** Writes `OTP <E.164 phone> <code>` as one line to standard output. Rejects if that fails. */
export function openGateway(): SendText {
  return (phone, code) =>
    new Promise((resolve, reject) => {
      process.stdout.write(`OTP ${phone} ${code}\n`, (error) =>
        error ? reject(error) : resolve(),
      );
    });
}
