// This process signs passes with a low priority. Its arguments and environment contain no secrets. It is
// plain JavaScript without imports, because its text is part of the server's bundle.
const { constants, setPriority } = require('node:os');

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const { PKPass } = require(process.env.PASSKIT_PATH);

process.on('message', (description) => {
  try {
    process.send({ bytes: createPass(description) });
  } catch (error) {
    process.send({ failure: String(error) });
  }
});
// The channel closes when the server ends.
process.on('disconnect', () => process.exit(0));

function createPass({ icons, certificates, properties, primaryFields, secondaryFields, barcode }) {
  const pass = new PKPass(icons, certificates, properties);
  pass.type = 'generic';
  pass.primaryFields.push(...primaryFields);
  pass.secondaryFields.push(...secondaryFields);
  pass.setBarcodes(barcode);
  return pass.getAsBuffer();
}
