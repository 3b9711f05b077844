import type { SendText } from '#server/adapter/sms/gateway.ts';

export function openGateway(): SendText {
  return (phone, code) =>
    new Promise((resolve, reject) => {
      process.stdout.write(`OTP ${phone} ${code}\n`, (error) =>
        error ? reject(error) : resolve(),
      );
    });
}
