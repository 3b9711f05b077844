// Compresses a text in brotli in its own process: low priority, none of the server's secrets.
// Plain JavaScript without imports, because its text is part of the server's bundle.
const { constants: os, setPriority } = require('node:os');
const { brotliCompressSync, constants } = require('node:zlib');

setPriority(os.priority.PRIORITY_LOW);
process.on('message', (text) => {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 10,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  process.send(brotliCompressSync(text, { params }));
});
// The server has ended.
process.on('disconnect', () => process.exit(0));
