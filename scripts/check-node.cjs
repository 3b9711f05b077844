// Ends the process with one sentence if this version of Node is too old. Node loads it before every other file
// of an npm script, and ES5 in a CommonJS module is what every version can read.
'use strict';

var parts = process.versions.node.split('.').map(Number);
var isSupported =
  (parts[0] === 20 && parts[1] >= 19) || (parts[0] === 22 && parts[1] >= 12) || parts[0] > 22;
if (!isSupported) {
  process.stderr.write(
    'Tessera needs Node 20.19, 22.12 or newer; this is ' + process.versions.node + '.\n',
  );
  process.exit(1);
}
