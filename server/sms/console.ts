/**
 * Delivers a one-time code to whoever runs the service: one line on standard output,
 * `OTP <E.164 phone> <code>`. The default, so that a fresh clone needs no gateway.
 */
export async function consoleGateway(phone: string, code: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(`OTP ${phone} ${code}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
