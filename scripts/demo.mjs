// npm run demo runs the product with made-up people, contacts and visits, and with both views.
import { build, install, stopWithParent } from './ready.mjs';

stopWithParent();
install();
build();
await import('./demo-service.mjs');
