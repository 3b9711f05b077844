// The baseline: node:http that sends recorded responses and does nothing else.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const responses = new Map(
  JSON.parse(readFileSync(process.argv[2], 'utf8')).map(({ path, status, headers, body }) => [
    path,
    { status, headers, body: Buffer.from(body, 'base64') },
  ]),
);
const server = createServer((request, response) => {
  const { status, headers, body } = responses.get(request.url);
  response.writeHead(status, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
