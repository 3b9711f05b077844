import type { GatewayEntry, SendText } from './gateway.ts';

export const consoleGateway: GatewayEntry = {
  openGateway,
};

function openGateway(): SendText {
  return (phone, code) =>
    new Promise((resolve, reject) => {
      process.stdout.write(`OTP ${phone} ${code}\n`, (error) =>
        error ? reject(error) : resolve(),
      );
    });
}
