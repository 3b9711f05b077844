// npm run demo: the product with made-up people, contacts and visits, and with both views on.
import { build, checkNode, install } from './ready.mjs';
import { stopWithParent } from './stop-with-parent.mjs';

stopWithParent();
checkNode();
install();
build();
await import('./demo-service.mjs');
