import { connect } from 'node:net';

/** Sends bytes that no HTTP library would send. Returns what arrives before the end or a pause of `timeoutMs`. */
export function sendBytes(port: number, bytes: string | Buffer, timeoutMs = 0): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let response = '';
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(response));
    socket.write(bytes);
  });
}
