// Renders images in its own process: low priority, our own fonts, none of the server's secrets.
// Plain JavaScript without imports, because its text is part of the server's bundle.
const { constants, setPriority } = require('node:os');

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const sharp = require(process.env.SHARP_PATH);
sharp.cache(false);
sharp.concurrency(1);

process.on('message', ({ input, options, layers, jpegQuality }) => {
  const image = sharp(input ?? options).composite(layers ?? []);
  const file = jpegQuality ? image.jpeg({ quality: jpegQuality, mozjpeg: true }) : image.png();
  file.toBuffer({ resolveWithObject: true }).then(
    ({ data, info }) => process.send({ data, width: info.width, height: info.height }),
    (error) => process.send({ failure: String(error) }),
  );
});
// The server has ended.
process.on('disconnect', () => process.exit(0));
