// The process in which pictures are drawn: low priority, our own fonts, none of the server's
// secrets. Plain JavaScript without imports, since its text travels inside the server's bundle.
const { constants, setPriority } = require('node:os');

setPriority(constants.priority.PRIORITY_LOW);
const sharp = require(process.env.SHARP_PATH);
sharp.cache(false);
sharp.concurrency(1);

process.on('message', ({ input, options, layers, jpegQuality }) => {
  const drawing = sharp(input ?? options).composite(layers ?? []);
  const file = jpegQuality ? drawing.jpeg({ quality: jpegQuality, mozjpeg: true }) : drawing.png();
  file.toBuffer({ resolveWithObject: true }).then(
    ({ data, info }) => process.send({ data, width: info.width, height: info.height }),
    (error) => process.send({ failure: String(error) }),
  );
});
// The server is gone, however it went.
process.on('disconnect', () => process.exit(0));
